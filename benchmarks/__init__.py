"""Speed beside peers; nothing here is asserted in tests."""
