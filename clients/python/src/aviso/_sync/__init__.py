"""The sync client: the async one without `async` and `await`, made by `make clients`."""
