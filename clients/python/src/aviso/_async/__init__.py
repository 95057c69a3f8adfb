"""The client for asyncio. `make clients` makes the sync client from it: edit this one."""
