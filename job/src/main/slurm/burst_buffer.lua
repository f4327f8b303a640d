-- SPDX-License-Identifier: Apache-2.0

-- Forebay for Slurm's plugin burst_buffer/lua: put this file beside slurm.conf, and 'Directive=DW'
-- into burst_buffer.conf. docs/slurm.md has the rest. For Slurm 22.05 and newer, Lua 5.1 and newer.
--
-- Every function hands its arguments to the agent of this machine. job_process, pools and paths run
-- inside slurmctld, which waits for them: the agent answers them at once or refuses, and the
-- programs wait no longer than 5 s. The others run in a process of their own.

-- The programs: by the PATH of slurmctld, unless this names their directory with a slash behind it.
local PROGRAMS = ""

-- Newer versions ask with test_data_in and test_data_out whether a stage has ended, and older ones
-- do not have these functions: there, data_in and data_out wait for the end.
local function has_polling()
  return slurm.SLURM_BB_BUSY ~= nil
end

local function quoted(word)
  return "'" .. (string.gsub(tostring(word), "'", "'\\''")) .. "'"
end

-- Runs a program and returns whether it succeeded, and what it printed. Lua 5.1 does not tell a
-- program's exit code, so the shell prints it.
local function run(program, ...)
  local words = { quoted(program) }
  for i = 1, select("#", ...) do
    words[#words + 1] = quoted((select(i, ...)))
  end
  local pipe = io.popen(table.concat(words, " ") .. " 2>&1; echo \"exit code $?\"", "r")
  if pipe == nil then
    return false, "cannot start " .. program .. "; see the limits of slurmctld"
  end
  local printed = pipe:read("*a") or ""
  pipe:close()
  local text, code = string.match(printed, "^(.-)\n*exit code (%d+)\n$")
  if code == nil then
    return false, program .. " was killed"
  end
  return code == "0", text
end

-- Runs a function of dw_wlm_cli, and returns what Slurm expects.
local function call(name, ...)
  local succeeded, text = run(PROGRAMS .. "dw_wlm_cli", "--function", name, ...)
  if not succeeded then
    slurm.log_error("forebay: %s: %s", name, text)
    return slurm.ERROR, text
  end
  return slurm.SUCCESS, text
end

-- The same for a function whose text says nothing to Slurm.
local function act(name, ...)
  local code, text = call(name, ...)
  if code == slurm.SUCCESS then
    return slurm.SUCCESS
  end
  return code, text
end

-- Names of a job's nodes, with commas between them.
local function nodes_of(job_id, job_info)
  local list = job_info and job_info["nodes"]
  if list == nil or list == "" then
    local succeeded, text = run("squeue", "--noheader", "--jobs=" .. job_id, "--format=%N")
    if not succeeded then
      return nil, text
    end
    list = text
  end
  local succeeded, text = run("scontrol", "show", "hostnames", list)
  if not succeeded then
    return nil, text
  end
  return (string.gsub(text, "\n", ","))
end

-- At submission, inside slurmctld. The text of an error is shown to the user.
function slurm_bb_job_process(job_script)
  return act("job_process", "--job", job_script)
end

-- At the start of slurmctld and every 30 s.
function slurm_bb_pools()
  return call("pools")
end

function slurm_bb_setup(job_id, uid, gid, pool, bb_size, job_script)
  return act("setup", "--token", job_id, "--caller", "SLURM", "--user", uid, "--groupid", gid,
    "--capacity", tostring(pool) .. ":" .. tostring(bb_size), "--job", job_script)
end

function slurm_bb_data_in(job_id, job_script)
  return act(has_polling() and "start_data_in" or "data_in", "--token", job_id, "--job", job_script)
end

-- The text is BUSY as long as the stage goes on.
function slurm_bb_test_data_in(job_id, job_script)
  return call("test_data_in", "--token", job_id, "--job", job_script)
end

function slurm_bb_real_size(job_id)
  local code, text = call("real_size", "--token", job_id)
  if code ~= slurm.SUCCESS then
    return code, text
  end
  local bytes = string.match(text, '"capacity":(%d+)')
  if bytes == nil then
    return slurm.SUCCESS
  end
  return slurm.SUCCESS, bytes
end

-- Before the job starts, inside slurmctld.
function slurm_bb_paths(job_id, job_script, path_file)
  return act("paths", "--job", job_script, "--token", job_id, "--pathfile", path_file)
end

-- Newer versions pass the job's nodes in job_info.
function slurm_bb_pre_run(job_id, job_script, uid, gid, job_info)
  local nodes, problem = nodes_of(job_id, job_info)
  if nodes == nil then
    return slurm.ERROR, problem
  end
  return act("pre_run", "--token", job_id, "--job", job_script, "--nodes", nodes)
end

function slurm_bb_post_run(job_id, job_script)
  return act("post_run", "--token", job_id, "--job", job_script)
end

function slurm_bb_data_out(job_id, job_script)
  return act(has_polling() and "start_data_out" or "data_out", "--token", job_id,
    "--job", job_script)
end

function slurm_bb_test_data_out(job_id, job_script)
  return call("test_data_out", "--token", job_id, "--job", job_script)
end

function slurm_bb_job_teardown(job_id, job_script, hurry)
  if hurry == "true" then
    return act("teardown", "--token", job_id, "--job", job_script, "--hurry")
  end
  return act("teardown", "--token", job_id, "--job", job_script)
end

-- 'scontrol show bbstat WORDS' shows what 'dwstat WORDS' prints. Newer versions pass the ids of the
-- user and group before the words; no word for dwstat is a number.
function slurm_bb_get_status(...)
  local words = { ... }
  while words[1] ~= nil and string.match(words[1], "^%d+$") do
    table.remove(words, 1)
  end
  local unpacked = table.unpack or unpack
  local succeeded, text = run(PROGRAMS .. "dwstat", unpacked(words))
  return succeeded and slurm.SUCCESS or slurm.ERROR, text .. "\n"
end
