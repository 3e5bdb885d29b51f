"""Serves one GGUF file with llama.cpp's own HTTP server, from the prebuilt wheel `xllamacpp`.

serve.py MODEL PORT THREADS CONTEXT FLASH_ATTENTION(off|auto)

Prints one line of JSON when it listens. Ends when standard input ends, so it never outlives the
process that started it.
"""

import json
import sys
from pathlib import Path

import xllamacpp

model, port, threads, context, flash = sys.argv[1:6]
params = xllamacpp.CommonParams()
params.model.path = model
params.hostnames = ["127.0.0.1"]
params.port = int(port)
params.n_parallel = 1
params.n_ctx = int(context)
params.use_jinja = True
params.cpuparams.n_threads = int(threads)
params.cpuparams_batch.n_threads = int(threads)
types = xllamacpp.llama_flash_attn_type
params.flash_attn_type = (
    types.LLAMA_FLASH_ATTN_TYPE_DISABLED if flash == "off" else types.LLAMA_FLASH_ATTN_TYPE_AUTO
)
# The name that replies bear; else it is the path of the file.
params.model_alias = {Path(model).name.split(".")[0]}
# Prompts that gave way to others are kept in memory, by default up to 8 GiB of them.
params.cache_ram_mib = 256
server = xllamacpp.Server(params)
print(
    json.dumps({"address": server.listening_address, "system": xllamacpp.get_system_info()}),
    flush=True,
)
sys.stdin.read()
