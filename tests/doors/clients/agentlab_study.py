"""AgentLab's GenericAgent in its own study of a benchmark of ours: a line of JSON for each episode.

`python agentlab_study.py TASKS`, a JSON list of [family, seed, most steps]. The model is asked at
`OPENAI_BASE_URL`; results go to `AGENTLAB_EXP_ROOT`.
"""

import json
import sys

from agentlab.agents.generic_agent.agent_configs import FLAGS_GPT_3_5
from agentlab.agents.generic_agent.generic_agent import GenericAgentArgs
from agentlab.experiments.loop import get_exp_result
from agentlab.experiments.study import make_study
from agentlab.llm.chat_api import OpenAIModelArgs
from browsergym.rehearsal.agentlab import benchmark, benchmark_of


def agent():
    flags = FLAGS_GPT_3_5
    flags.max_prompt_tokens = None  # counting tokens asks the network for a vocabulary
    model = OpenAIModelArgs(
        model_name="gpt-4o", max_total_tokens=128_000, max_input_tokens=None, max_new_tokens=500
    )
    return GenericAgentArgs(chat_model_args=model, flags=flags)


def main(tasks):
    # A suite by its name, or tasks as they are listed.
    made = benchmark(tasks) if isinstance(tasks, str) else benchmark_of("rehearsal_three", tasks)
    study = make_study([agent()], made)
    study.run(n_jobs=1, parallel_backend="sequential")
    for arguments in study.exp_args_list:
        result = get_exp_result(arguments.exp_dir)
        kept = ("n_steps", "cum_reward", "terminated", "truncated", "err_msg")
        summary = {name: result.summary_info.get(name) for name in kept}
        actions = [step.action for step in result.steps_info]
        task = result.exp_args.env_args
        print(
            json.dumps(
                {"task": task.task_name, "seed": task.task_seed, **summary, "actions": actions}
            )
        )
    print(study.get_results()[1].to_string(), file=sys.stderr)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
