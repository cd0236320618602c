"""`muniment demo`: a packaged story in five acts, played on a real store in a folder of its own."""
