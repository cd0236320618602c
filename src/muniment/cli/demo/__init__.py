"""`muniment demo`: a packaged story in six acts, played on a real store in a folder of its own."""
