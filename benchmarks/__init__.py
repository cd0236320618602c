"""Measurements of the product: `python -m benchmarks NAME …`. Each module here with a `main` is one of them."""
