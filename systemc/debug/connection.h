// SPDX-License-Identifier: Apache-2.0
// TCP on the loopback interface, for one debugger.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace dtrmc::debug {

// The port cannot be had; what() says why in one line.
class PortError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A stream to somebody. Losing the other side is no error: the stream is then closed, reads give nothing and writes
// go nowhere.
class Connection {
 public:
  explicit Connection(int descriptor) : descriptor_(descriptor) {}
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&& other) noexcept;
  ~Connection();

  bool open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  void write(std::string_view bytes);
  // Reads what is there without waiting, up to `size` bytes; 0: nothing now, or closed.
  std::size_t read(char* to, std::size_t size);
  // After the last write: waits, at most `milliseconds`, until the other side has read it and closed.
  void finish(int milliseconds);
  void close();

 private:
  int descriptor_;
};

class Listener {
 public:
  // Port 0: any free one. Throws PortError where it cannot be bound on 127.0.0.1.
  explicit Listener(std::uint16_t port);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  std::uint16_t port() const { return port_; }
  int descriptor() const { return descriptor_; }
  // Whoever waits to be connected, without waiting for one.
  std::optional<Connection> accept();
  void close();

 private:
  int descriptor_ = -1;
  std::uint16_t port_ = 0;
};

// Waits until one of the two has something to say; a negative descriptor never has. Milliseconds, -1: for ever.
// Says whether any has.
bool wait_for_input(int first, int second, int milliseconds);

} // namespace dtrmc::debug
