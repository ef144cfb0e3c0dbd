"""Selection formulas that users write: checked and translated, interpreted slowly, and made for kernels."""
