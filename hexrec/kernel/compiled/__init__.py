"""Where the build puts the kernels as machine code: `hatch_build.py` compiles each module of `hexrec.kernel` to here."""
