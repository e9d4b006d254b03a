// SPDX-License-Identifier: Apache-2.0
#include "systemc/debug/connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace dtrmc::debug {

namespace {

// A debugger that takes nothing for this long is gone.
constexpr timeval kSendPatience{10, 0};

} // namespace

Connection::Connection(Connection&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Connection& Connection::operator=(Connection&& other) noexcept {
  if (this != &other) {
    close();
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

Connection::~Connection() { close(); }

void Connection::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

void Connection::write(std::string_view bytes) {
  while (open() && !bytes.empty()) {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return close();
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::size_t Connection::read(char* to, std::size_t size) {
  while (open()) {
    const ssize_t got = ::recv(descriptor_, to, size, MSG_DONTWAIT);
    if (got > 0) return static_cast<std::size_t>(got);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return 0;
    close();
  }
  return 0;
}

void Connection::finish(int milliseconds) {
  if (!open()) return;
  ::shutdown(descriptor_, SHUT_WR);
  char sink[256];
  // Every round either takes bytes away, or ends by time or end of stream.
  while (open() && wait_for_input(descriptor_, -1, milliseconds)) read(sink, sizeof sink);
  close();
}

Listener::Listener(std::uint16_t port) {
  const auto refuse = [this, port](const char* what) {
    const std::string reason = std::strerror(errno);
    close();
    throw PortError("port " + std::to_string(port) + " on 127.0.0.1: " + what + ": " + reason +
                    "; choose another, or 0 for any free one");
  };
  descriptor_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor_ < 0) refuse("no socket");
  const int on = 1; // a port whose last connection is in TIME_WAIT is free
  ::setsockopt(descriptor_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) refuse("cannot be used");
  if (::listen(descriptor_, 4) != 0) refuse("cannot be listened on");
  socklen_t length = sizeof address;
  if (::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &length) != 0) refuse("has no name");
  port_ = ntohs(address.sin_port);
}

Listener::~Listener() { close(); }

void Listener::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

std::optional<Connection> Listener::accept() {
  if (descriptor_ < 0) return std::nullopt;
  const int accepted = ::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
  if (accepted < 0) return std::nullopt;
  const int on = 1; // packets are small and each is waited for
  ::setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::setsockopt(accepted, SOL_SOCKET, SO_SNDTIMEO, &kSendPatience, sizeof kSendPatience);
  return Connection(accepted);
}

bool wait_for_input(int first, int second, int milliseconds) {
  pollfd waiting[2] = {{first, POLLIN, 0}, {second, POLLIN, 0}}; // poll skips negative descriptors
  for (;;) {
    const int ready = ::poll(waiting, 2, milliseconds);
    if (ready < 0 && errno == EINTR) continue;
    return ready > 0;
  }
}

} // namespace dtrmc::debug
