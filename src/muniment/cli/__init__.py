"""The command line, an edge: words typed become calls of the engine, results become text or JSON. It decides nothing."""
