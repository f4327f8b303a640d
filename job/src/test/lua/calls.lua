-- SPDX-License-Identifier: Apache-2.0

-- Calls a function of burst_buffer.lua as Slurm does, and prints what it returns:
-- calls.lua SCRIPT old|new FUNCTION WORDS…
-- 'new' is Slurm 24.05 and newer, which has SLURM_BB_BUSY. A word NODES=… is a job's information.
slurm = { SUCCESS = 0, ERROR = -1 }
function slurm.log_error() end
if arg[2] == "new" then
  slurm.SLURM_BB_BUSY = "BUSY"
end
dofile(arg[1])
local words = {}
for i = 4, #arg do
  local nodes = string.match(arg[i], "^NODES=(.*)$")
  words[#words + 1] = nodes and { nodes = nodes } or arg[i]
end
local code, text = _G[arg[3]]((table.unpack or unpack)(words))
print(code, text)
