"""Searches with Optuna; asked line by line on standard input, values asked back the same way.

`hastened`: the same points sooner, where this Optuna is one that can be hastened; how long it takes is not said then.
"""
import json
import sys
import threading
import time
import warnings

import optuna

warnings.filterwarnings("ignore")
optuna.logging.set_verbosity(optuna.logging.ERROR)
lock = threading.Lock()


def sampler_for(method, seed, window):
    if method == "random":
        return optuna.samplers.RandomSampler(seed=seed)
    if method == "cma-es":
        return optuna.samplers.CmaEsSampler(seed=seed, warn_independent_sampling=False)
    return optuna.samplers.TPESampler(
        seed=seed, multivariate=True, group=True, constant_liar=window > 1, warn_independent_sampling=False
    )


def suggest(trial, parameters):
    point = {}
    for parameter in parameters:
        when = parameter.get("when", [])
        if not all(point.get(each["parameter"]) in each["values"] for each in when):
            continue
        name, domain = parameter["name"], parameter["domain"]
        if domain["kind"] == "choice":
            point[name] = trial.suggest_categorical(name, domain["values"])
        elif domain.get("decimals", 0) > 0:
            low, high, step = domain["min"], domain["max"], 10 ** -domain["decimals"]
            point[name] = round(trial.suggest_float(name, low, high, step=step), domain["decimals"])
        elif domain["kind"] == "range" or domain.get("step") == 1:
            point[name] = trial.suggest_int(name, domain["min"], domain["max"], log=domain.get("log", False))
        else:
            point[name] = trial.suggest_float(name, domain["min"], domain["max"], log=domain.get("log", False))
    return point


def value_of(point):
    with lock:
        print(json.dumps({"point": point}), flush=True)
        return json.loads(sys.stdin.readline())


def windowed(study, parameters, trials, window):
    """The oldest of `window` trials that are out is told, then another is asked."""
    out, times = [], []
    for number in range(trials + window):
        if number < trials:
            begun = time.perf_counter()
            trial = study.ask()
            point = suggest(trial, parameters)
            times.append(time.perf_counter() - begun)
            out.append((trial, point))
        if len(out) == window or number >= trials:
            if not out:
                break
            trial, point = out.pop(0)
            value = value_of(point)
            begun = time.perf_counter()
            study.tell(trial, value)
            times[min(trial.number, len(times) - 1)] += time.perf_counter() - begun
    late = times[int(trials * 0.9):]
    return 1000 * sum(late) / max(1, len(late))


def hastened():
    if sys.argv[1:] != ["hastened"] or not optuna.__version__.startswith("3.1."):
        return False
    try:
        from hasten_optuna import hasten
    except ImportError:
        return False
    hasten()
    return True


def main():
    timed = not hastened()
    for line in sys.stdin:
        task = json.loads(line)
        sampler = sampler_for(task["method"], task["seed"], task["window"])
        study = optuna.create_study(sampler=sampler)
        if task.get("jobs"):
            # As its users do it: threads that tell in whatever order they finish.
            objective = lambda trial: value_of(suggest(trial, task["parameters"]))
            study.optimize(objective, n_trials=task["trials"], n_jobs=task["jobs"])
            points = [trial.params for trial in study.trials]
            print(json.dumps({"done": 0, "points": points}), flush=True)
        else:
            last = windowed(study, task["parameters"], task["trials"], task["window"])
            print(json.dumps({"done": last} if timed or task["method"] != "tpe" else {}), flush=True)


main()
