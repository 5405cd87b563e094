/** How long a proposal is worth talking about, judged by its words. */
export interface SuggestedPace {
  readonly complexity: keyof typeof paces;
  readonly risk: "critical" | "usual" | "low";
  readonly reversible: "yes" | "no" | "unsaid";
  readonly maxRounds: number;
  readonly threshold: number;
}

/** Where a setting came from; what a person typed always wins. */
export interface Setting {
  readonly value: number;
  readonly from: "flag" | "timekeeper";
}

export interface CouncilPace {
  readonly maxRounds: Setting;
  readonly threshold: Setting;
}

const paces = {
  trivial: { maxRounds: 2, threshold: 0.8 },
  simple: { maxRounds: 3, threshold: 0.75 },
  complex: { maxRounds: 5, threshold: 0.7 },
  strategic: { maxRounds: 7, threshold: 0.65 },
} as const;

const words = {
  strategic: /\b(strateg\w*|roadmap|re-?write|re-?architect\w*|acqui\w+|company-wide|monolith|microservices?|pivot)\b/i,
  trivial: /\b(typo|rename|comment|wording|whitespace|formatting|readme|log message|bump)\b/i,
  complex:
    /\b(architect\w*|migrat\w*|database|schema|security|auth\w*|distributed|concurren\w*|protocol|api|integrat\w*|refactor\w*|performance|scal\w+)\b/gi,
  critical: /\b(production|payments?|billing|personal data|privacy|safety|outage|legal|compliance|credentials?)\b/i,
  low: /\b(experiment\w*|prototype|spike|sandbox|internal tool|throw-?away|toy)\b/i,
  irreversible:
    /\b(irreversible|cannot be undone|no way back|delet\w+|drop (?:the )?tables?|public release|one-way)\b/i,
  reversible: /\b(reversible|feature flag|behind a flag|roll ?back|can be undone|opt-in|toggle)\b/i,
};

const LONG_WORDS = 120;
const SHORT_WORDS = 25;

/** Rounds and threshold a proposal deserves. Risk moves the threshold by 0.05, reversibility the rounds by one. */
export function paceOf(proposal: string): SuggestedPace {
  const complexity = complexityOf(proposal);
  const risk = words.critical.test(proposal) ? "critical" : words.low.test(proposal) ? "low" : "usual";
  const reversible = words.irreversible.test(proposal) ? "no" : words.reversible.test(proposal) ? "yes" : "unsaid";
  const base = paces[complexity];
  const threshold = base.threshold + { critical: 0.05, usual: 0, low: -0.05 }[risk];
  const maxRounds = base.maxRounds + { no: 1, yes: -1, unsaid: 0 }[reversible];
  return {
    complexity,
    risk,
    reversible,
    maxRounds: Math.min(7, Math.max(2, maxRounds)),
    threshold: Math.round(Math.min(0.85, Math.max(0.6, threshold)) * 100) / 100,
  };
}

/** The settings a council works with: what was typed, otherwise what the timekeeper says. */
export function councilPace(
  proposal: string,
  flags: { readonly maxRounds?: number | undefined; readonly threshold?: number | undefined },
): CouncilPace {
  const pace = paceOf(proposal);
  const setting = (typed: number | undefined, otherwise: number): Setting =>
    typed === undefined ? { value: otherwise, from: "timekeeper" } : { value: typed, from: "flag" };
  return {
    maxRounds: setting(flags.maxRounds, pace.maxRounds),
    threshold: setting(flags.threshold, pace.threshold),
  };
}

function complexityOf(proposal: string): SuggestedPace["complexity"] {
  if (words.strategic.test(proposal)) return "strategic";
  const hard = new Set(proposal.toLowerCase().match(words.complex) ?? []).size;
  const length = proposal.split(/\s+/).length;
  if (hard >= 1 || length > LONG_WORDS) return "complex";
  return words.trivial.test(proposal) && length <= SHORT_WORDS ? "trivial" : "simple";
}
