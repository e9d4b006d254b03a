# SPDX-License-Identifier: Apache-2.0
"""AXI4-Lite: cocotbext-axi's master against the unit, in four states, with pauses on all five channels."""
import logging
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly, RisingEdge, Timer
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

import registers as regs
from session import Session

OUTPUTS = ("axil_awready", "axil_wready", "axil_bvalid", "axil_bresp", "axil_arready", "axil_rvalid", "axil_rdata",
           "axil_rresp", "irq", "busy")


class Bus:
    def __init__(self, dut):
        logging.getLogger("cocotb.axil_top.axil").setLevel(logging.WARNING)
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "axil"), dut.clk, dut.rst_n, reset_active_level=False)

    async def write(self, offset, data, strobes):
        """Strobes by way of byte writes of neighbouring bytes; what has holes is split."""
        error = False
        start = 0
        while start < 4:
            if not strobes >> start & 1:
                start += 1
                continue
            end = start
            while end < 4 and strobes >> end & 1:
                end += 1
            part = (data >> 8 * start & (1 << 8 * (end - start)) - 1).to_bytes(end - start, "little")
            answer = await self.master.write(offset + start, part)
            error = error or answer.resp != AxiResp.OKAY
            start = end
        return error

    async def read(self, offset):
        answer = await self.master.read(offset, 4)
        return int.from_bytes(answer.data, "little"), answer.resp != AxiResp.OKAY


def channels(bus):
    write, read = bus.master.write_if, bus.master.read_if
    return write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel


def pauses(source, share):
    while True:
        yield source.random() < share


async def watch(dut):
    """No output is X or Z once reset is asserted; a response stays, unchanged, until it is taken."""
    pending = {"b": None, "r": None}
    while True:
        await FallingEdge(dut.clk)
        for name in OUTPUTS:
            assert getattr(dut, name).value.is_resolvable, f"{name} is {getattr(dut, name).value}"
        for channel, payload in (("b", ("axil_bresp",)), ("r", ("axil_rdata", "axil_rresp"))):
            valid = int(getattr(dut, f"axil_{channel}valid").value)
            now = tuple(int(getattr(dut, name).value) for name in payload)
            if pending[channel] is not None:
                assert valid and now == pending[channel], f"{channel}: the response changed before it was taken"
            ready = int(getattr(dut, f"axil_{channel}ready").value)
            pending[channel] = now if valid and not ready and int(dut.rst_n.value) else None


async def begin(dut):
    for name in ("awvalid", "wvalid", "bready", "arvalid", "rready"):
        getattr(dut, f"axil_{name}").value = 0
    dut.rst_n.value = 0
    await Timer(1, "ns")  # the reset is asynchronous: no clock edge yet
    for name in OUTPUTS:
        assert getattr(dut, name).value.is_resolvable, f"{name} is {getattr(dut, name).value} in reset"
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    bus = Bus(dut)
    await ClockCycles(dut.clk, 3)
    dut.rst_n.value = 1
    cocotb.start_soon(watch(dut))
    await RisingEdge(dut.clk)
    return bus


def rounds(default):
    return int(os.environ.get("DTRMC_ROUNDS", default))


async def session(dut, share, seed, count):
    bus = await begin(dut)
    source = random.Random(seed)
    for index, channel in enumerate(channels(bus)):
        if share:
            channel.set_pause_generator(pauses(random.Random(seed * 10 + index), share))
    run = Session(bus, source, int(dut.DEPTH.value))
    await run.run(count)
    dut._log.info("seen: %s", run.seen)
    for what in ("class 0", "class 1", "class 2", "reset", "full", "change during a search", "bytes", "one store"):
        assert run.seen.get(what, 0) > 0, f"never seen: {what}"
    return bus, run


@cocotb.test()
async def at_full_speed(dut):
    await session(dut, 0.0, 1, rounds(40))


@cocotb.test()
async def with_a_few_pauses(dut):
    await session(dut, 0.2, 2, rounds(40))


@cocotb.test()
async def with_many_pauses(dut):
    await session(dut, 0.7, 3, rounds(40))


@cocotb.test()
async def interrupt(dut):
    bus = await begin(dut)
    run = Session(bus, random.Random(4), int(dut.DEPTH.value))
    await run.insert(3, 7, 1, 0)
    await run.write(regs.IRQ_ENABLE_OFFSET, regs.IRQ_ENABLE_DONE_MASK)
    assert int(dut.irq.value) == 0
    await run.start()
    for _ in range(100):
        await RisingEdge(dut.clk)
        await ReadOnly()
        if int(dut.irq.value):
            break
    assert int(dut.irq.value) == 1
    await FallingEdge(dut.clk)
    await run.finish(run.expected())
    await run.write(regs.CONTROL_OFFSET, regs.CONTROL_CLEAR_DONE_MASK)
    await ClockCycles(dut.clk, 2)
    assert int(dut.irq.value) == 0


@cocotb.test()
async def concurrent_reads_and_writes(dut):
    """Both directions at once, with pauses: a read during a write sees the old or the new value, nothing else."""
    bus = await begin(dut)
    for index, channel in enumerate(channels(bus)):
        channel.set_pause_generator(pauses(random.Random(50 + index), 0.4))
    source = random.Random(5)
    old = 0
    for _ in range(rounds(60)):
        new = source.getrandbits(32)
        writing = cocotb.start_soon(bus.write(regs.CLOCK_LO_OFFSET, new, 0xF))
        data, error = await bus.read(regs.CLOCK_LO_OFFSET)
        assert not error and data in (old, new), f"{data:#x} is neither {old:#x} nor {new:#x}"
        assert not await writing
        data, error = await bus.read(regs.CLOCK_LO_OFFSET)
        assert not error and data == new
        old = new


@cocotb.test()
async def hard_reset_at_any_time(dut):
    """Also in the middle of a search: everything is as after the first reset."""
    bus = await begin(dut)
    source = random.Random(6)
    run = Session(bus, source, int(dut.DEPTH.value))
    for wait in range(12):
        for slot in range(0, run.depth, 3):
            await run.random_insert(slot)
        await run.start()
        await ClockCycles(dut.clk, wait * 3)
        await FallingEdge(dut.clk)
        dut.rst_n.value = 0
        await ClockCycles(dut.clk, 2)
        await FallingEdge(dut.clk)
        assert int(dut.busy.value) == 0 and int(dut.irq.value) == 0
        dut.rst_n.value = 1
        await ClockCycles(dut.clk, 2)
        run = Session(bus, source, run.depth)
        assert await run.read(regs.COUNT_OFFSET) == 0
        assert await run.read(regs.CYCLES_OFFSET) == 0
        await run.start()
        await run.finish(run.expected())
