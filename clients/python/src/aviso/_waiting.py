"""How tasks wait, and how threads do: all that the two clients do not share."""

from __future__ import annotations

import asyncio
import threading
import time

AsyncLock = asyncio.Lock
Lock = threading.Lock

async_sleep = asyncio.sleep
sleep = time.sleep


async def async_acquire(lock: asyncio.Lock, seconds: float) -> bool:
    """Wait for the lock, and report whether it was free in time."""
    try:
        return await asyncio.wait_for(lock.acquire(), seconds)
    except asyncio.TimeoutError:
        return False


def acquire(lock: threading.Lock, seconds: float) -> bool:
    """Wait for the lock, and report whether it was free in time."""
    return lock.acquire(timeout=max(0.0, seconds))
