# SPDX-License-Identifier: Apache-2.0
"""APB: cocotbext-axi's master against the wrapper, in four states."""
import logging
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, Timer
from cocotbext.axi import ApbBus, ApbMaster

from session import Session

OUTPUTS = ("apb_pready", "apb_prdata", "apb_pslverr", "irq", "busy")


class Bus:
    def __init__(self, dut):
        logging.getLogger("cocotb.apb_top.apb").setLevel(logging.WARNING)
        self.master = ApbMaster(ApbBus.from_prefix(dut, "apb"), dut.clk, dut.rst_n, reset_active_level=False)

    async def write(self, offset, data, strobes):
        error = False
        for byte in range(4):
            if strobes == 0xF:
                answer = await self.master.write(offset, data.to_bytes(4, "little"))
                return bool(answer.resp)
            if strobes >> byte & 1:
                answer = await self.master.write(offset + byte, bytes([data >> 8 * byte & 0xFF]))
                error = error or bool(answer.resp)
        return error

    async def read(self, offset):
        answer = await self.master.read(offset, 4)
        return int.from_bytes(answer.data, "little"), bool(answer.resp)


async def watch(dut):
    while True:
        await FallingEdge(dut.clk)
        for name in OUTPUTS:
            assert getattr(dut, name).value.is_resolvable, f"{name} is {getattr(dut, name).value}"


@cocotb.test()
async def random_session(dut):
    dut.rst_n.value = 0
    for name in ("psel", "penable", "pwrite"):
        getattr(dut, f"apb_{name}").value = 0
    await Timer(1, "ns")
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    bus = Bus(dut)
    await ClockCycles(dut.clk, 3)
    dut.rst_n.value = 1
    cocotb.start_soon(watch(dut))
    await ClockCycles(dut.clk, 2)
    run = Session(bus, random.Random(7), int(dut.DEPTH.value))
    await run.run(40)
    for what in ("class 0", "class 1", "class 2", "reset", "full", "change during a search", "bytes"):
        assert run.seen.get(what, 0) > 0, f"never seen: {what}"
