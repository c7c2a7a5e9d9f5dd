"""Where the build puts the kernels as machine code: `hatch_build.py` compiles the modules of `hexrec.kernel`."""
