/* SPDX-License-Identifier: Apache-2.0
 * What the compiler may call in a freestanding program.
 */
#include <stddef.h>

void* memset(void* destination, int value, size_t count);
void* memcpy(void* destination, const void* source, size_t count);

void* memset(void* destination, int value, size_t count) {
  unsigned char* to = destination;
  for (size_t i = 0; i < count; ++i) to[i] = (unsigned char)value;
  return destination;
}

void* memcpy(void* destination, const void* source, size_t count) {
  unsigned char* to = destination;
  const unsigned char* from = source;
  for (size_t i = 0; i < count; ++i) to[i] = from[i];
  return destination;
}
