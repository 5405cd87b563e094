"""Makes the TPE of Optuna 3.1 find the same points many times as fast, so that a thousand trials take seconds, not minutes.

It takes the normal distribution from SciPy instead of Optuna's own Python, asks once for each kernel how much of it lies
within bounds, and looks once at a trial that has ended. Trials have to end in the order they were asked.
"""
import numpy as np
from optuna.samplers._search_space import group_decomposed
from optuna.samplers._tpe import _truncnorm, sampler
from optuna.trial import TrialState
from scipy import special


def hasten():
    _truncnorm.erf = special.erf
    _truncnorm._log_ndtr = special.log_ndtr
    _truncnorm._ndtri_exp = special.ndtri_exp
    _truncnorm.logpdf = logpdf
    sampler._get_observation_pairs = observations
    group_decomposed._GroupDecomposedSearchSpace.calculate = groups


def logpdf(x, a, b, loc=0, scale=1):
    """For samples as rows and kernels as columns."""
    x = (x - loc) / scale
    out = _truncnorm._norm_logpdf(x) - _truncnorm._log_gauss_mass(a, b)
    out[(x < a) | (b < x)] = -np.inf
    return out


class Seen:
    """What TPE counts with of the trials that have ended."""

    def __init__(self):
        self.scores = []
        self.points = []
        self.columns = {}

    def catch_up(self, trials):
        for trial in trials[len(self.points):]:
            self.scores.append((-float("inf"), [trial.value]))
            self.points.append(as_numbers(trial))

    def column(self, name):
        column = self.columns.setdefault(name, [])
        column.extend(point.get(name) for point in self.points[len(column):])
        return column


def observations(study, names, constant_liar=False, constraints_enabled=False):
    seen = study.__dict__.setdefault("_seen", Seen())
    seen.catch_up(study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,)))
    out = study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)) if constant_liar else []
    points = [as_numbers(trial) for trial in out]
    values = {name: [*seen.column(name), *(point.get(name) for point in points)] for name in names}
    return values, [*seen.scores, *((float("inf"), [float("inf")]) for _ in out)], None


def as_numbers(trial):
    return {name: trial.distributions[name].to_internal_repr(value) for name, value in trial.params.items()}


def groups(self, study):
    """Parameters that come together, from the trials that were not seen before."""
    ended = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
    for trial in ended[getattr(self, "_count", 0):]:
        self._search_space.add_distributions(trial.distributions)
    self._count = len(ended)
    copy = group_decomposed._SearchSpaceGroup()
    copy._search_spaces = [dict(space) for space in self._search_space._search_spaces]
    return copy
