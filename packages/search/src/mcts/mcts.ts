import type { Outcome, Proposal, Search, SearchProgress, SearchTree } from "@coppice/engine";
import { type Random, random } from "@coppice/engine/evaluator";
import { choicesAt, playOut } from "./actions-at.ts";
import { treeOf } from "./grown-tree.ts";
import { checkMctsOptions, defaultMctsOptions, type MctsOptions, USUAL_IDLE } from "./mcts-options.ts";
import type { EdgeStatistics, Found, MctsResult } from "./mcts-result.ts";
import type { Problem } from "./problem.ts";
import { type RewardRange, selectEdge } from "./selection.ts";
import {
  backUp,
  type Edge,
  markPending,
  type Node,
  type Path,
  type PathChoice,
  preferredEdge,
  preferredPath,
} from "./tree.ts";

/** An evaluation that is out, and everyone who waits for it. */
interface Flight<State, Action> {
  readonly key: string;
  readonly state: State;
  readonly waiting: { readonly path: Path<State, Action>; readonly actions: readonly Action[] }[];
}

/**
 * Monte-Carlo tree search: PUCT with progressive widening, transpositions and up to `window` leaves out at once.
 *
 * A leaf that is out counts as visited but has no value (count-only virtual loss), so once all are told, visits and
 * totals are those of the true values. An evaluation is asked once per key; whoever else needs it waits for it.
 * Limits in time are the run's (`maxTimeMs`), not the search's.
 */
export class Mcts<State, Action> implements Search<State, number, MctsResult<State, Action>> {
  readonly #problem: Problem<State, Action>;
  readonly #options: MctsOptions;
  readonly #sign: 1 | -1;
  readonly #random: Random;
  readonly #nodes = new Map<string, Node<State, Action>>();
  /** Reward of every evaluated key; undefined for a failed one. */
  readonly #rewards = new Map<string, number | undefined>();
  readonly #flights = new Map<string, Flight<State, Action>>();
  readonly #flightOfAsk = new Map<number, Flight<State, Action>>();
  readonly #range: RewardRange = { least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY };
  #root: Node<State, Action>;
  #prefix: readonly Action[] = [];
  #best: Found<State, Action> | undefined;
  #asks = 0;
  #simulations = 0;
  #pendingSimulations = 0;
  #steps = 0;
  #idle = 0;
  #stopped: MctsResult<State, Action>["stopped"];

  constructor(problem: Problem<State, Action>, options: Partial<MctsOptions> & Pick<MctsOptions, "budget">) {
    this.#options = { ...defaultMctsOptions, ...options };
    checkMctsOptions(this.#options);
    if (problem.players !== undefined && problem.players !== 1) {
      throw new RangeError(
        `a game of ${problem.players} players is not searched here: Mcts looks for what is best for one, and takes every value as good for whoever moves`,
      );
    }
    this.#problem = problem;
    this.#sign = this.#options.goal === "maximise" ? 1 : -1;
    this.#random = random(this.#options.seed).at("mcts");
    this.#root = this.#nodeOf(problem.root);
  }

  ask(): Proposal<State> {
    for (;;) {
      this.#stopped ??= this.#spent();
      if (this.#stopped !== undefined) return this.#pendingSimulations > 0 ? { kind: "wait" } : { kind: "done" };
      if (this.#pendingSimulations >= this.#options.window) return { kind: "wait" };
      const flight = this.#simulate();
      if (flight === "dead") {
        if (this.#pendingSimulations > 0) return { kind: "wait" };
        this.#stopped = "exhausted";
      } else if (flight !== undefined) {
        this.#flightOfAsk.set(this.#asks++, flight);
        return { kind: "candidate", candidate: flight.state, key: flight.key };
      }
    }
  }

  tell(outcome: Outcome<number>, ask: number): void {
    const flight = this.#flightOfAsk.get(ask);
    if (flight === undefined) throw new Error(`ask ${ask} is not out`);
    this.#flightOfAsk.delete(ask);
    this.#flights.delete(flight.key);
    const reward = outcome.ok && Number.isFinite(outcome.value) ? this.#sign * outcome.value : undefined;
    this.#rewards.set(flight.key, reward);
    if (reward !== undefined) {
      this.#range.least = Math.min(this.#range.least, reward);
      this.#range.most = Math.max(this.#range.most, reward);
      if (this.#best === undefined || reward > this.#sign * this.#best.value) {
        this.#best = { state: flight.state, actions: flight.waiting[0].actions, value: this.#sign * reward };
      }
    }
    for (const { path } of flight.waiting) {
      this.#pendingSimulations--;
      markPending(path, -1);
      if (reward === undefined) this.#close(path);
      else backUp(path, reward);
    }
  }

  result(): MctsResult<State, Action> {
    return {
      best: this.#best,
      mostVisited: [...this.#prefix, ...preferredPath(this.#root, "visits")],
      bestValued: [...this.#prefix, ...preferredPath(this.#root, "value")],
      simulations: this.#simulations,
      evaluations: this.#asks,
      nodes: this.#nodes.size,
      stopped: this.#stopped,
    };
  }

  progress(): SearchProgress {
    const { simulations, evaluations, actions } = this.#options.budget;
    const levels = [
      { name: "Simulations", done: this.#simulations, total: simulations },
      { name: "Evaluations", done: this.#asks, total: evaluations },
      { name: "Actions", done: this.#steps, total: actions },
    ].flatMap(({ total, ...level }) => (total === undefined ? [] : [{ ...level, total }]));
    return { levels, ...(this.#best === undefined ? {} : { best: this.#best.value }) };
  }

  /** Every opened action, nodes in order of creation. */
  statistics(): EdgeStatistics<Action>[] {
    return [...this.#nodes.values()].flatMap(({ key, edges }) =>
      edges.map(({ action, prior, visits, pending, total }) => ({
        from: key,
        action,
        prior,
        visits,
        pending,
        total: visits === 0 ? 0 : this.#sign * total,
      })),
    );
  }

  tree(): SearchTree {
    return treeOf(this.#root, this.#sign);
  }

  /** Makes the preferred child the root and keeps what is below it. False if no child has a value yet. */
  advance(choice: PathChoice): boolean {
    const edge = preferredEdge(this.#root, choice);
    if (edge?.child === undefined) return false;
    this.#prefix = [...this.#prefix, edge.action];
    this.#root = edge.child;
    return true;
  }

  #spent(): MctsResult<State, Action>["stopped"] {
    const { simulations, evaluations, actions, idle } = this.#options.budget;
    if (simulations !== undefined && this.#simulations >= simulations) return "simulations";
    if (evaluations !== undefined && this.#asks >= evaluations) return "evaluations";
    if (actions !== undefined && this.#steps >= actions) return "actions";
    const mostIdle = idle ?? (simulations === undefined ? USUAL_IDLE : Number.POSITIVE_INFINITY);
    return this.#idle >= mostIdle ? "idle" : undefined;
  }

  /** Walks to a leaf. Returns an evaluation to ask for; nothing if its value is known or already out; "dead" if nothing is left to try. */
  #simulate(): Flight<State, Action> | "dead" | undefined {
    const nodes = [this.#root];
    const edges: Edge<State, Action>[] = [];
    for (;;) {
      const node = nodes[nodes.length - 1];
      if (edges.length > 0 && this.#isKnownEnd(node) && edges[edges.length - 1].visits > 0) {
        closeLast();
        continue;
      }
      if (node.terminal || this.#isNew(node)) return this.#evaluate({ nodes, edges }, node.state, node.key, []);
      // The root is where everything begins: what is below it is tried although its own evaluation failed.
      const edge = node !== this.#root && this.#hasFailed(node) ? undefined : this.#takeEdge(node, nodes);
      if (edge?.child !== undefined) {
        edges.push(edge);
        nodes.push(edge.child);
        continue;
      }
      const again = this.#options.knownEnds === "again" || edges[edges.length - 1]?.visits === 0;
      if (again && this.#rewards.get(node.key) !== undefined) {
        return this.#evaluate({ nodes, edges }, node.state, node.key, []);
      }
      if (edges.length === 0) return "dead";
      closeLast();
    }

    /** Nothing new comes of the last edge: it is not taken again, and the walk begins anew. */
    function closeLast(): void {
      edges[edges.length - 1].closed = true;
      nodes.length = 1;
      edges.length = 0;
    }
  }

  /** Whether there is nothing left to learn at a node: every edge to it needs its value only once. */
  #isKnownEnd(node: Node<State, Action>): boolean {
    return node.terminal && this.#options.knownEnds === "once" && this.#rewards.has(node.key);
  }

  /** Whether nothing was ever tried below this node: without playouts until its own value has arrived. */
  #isNew(node: Node<State, Action>): boolean {
    if (this.#options.playout === "none") return !this.#rewards.has(node.key);
    return node.visits + node.pending === 0;
  }

  /** Whether a node's own evaluation failed: nothing below it is tried, whichever way it was reached. */
  #hasFailed({ key }: Node<State, Action>): boolean {
    return this.#options.playout === "none" && this.#rewards.has(key) && this.#rewards.get(key) === undefined;
  }

  #takeEdge(node: Node<State, Action>, passed: readonly Node<State, Action>[]): Edge<State, Action> | undefined {
    this.#widen(node);
    const loops = new Set<Edge<State, Action>>();
    for (;;) {
      const edge = selectEdge(
        node,
        (candidate) => !(candidate.closed || loops.has(candidate)),
        this.#range,
        this.#options,
      );
      if (edge === undefined) return undefined;
      if (!passed.includes(this.#childOf(node, edge))) return edge;
      loops.add(edge);
    }
  }

  #widen(node: Node<State, Action>): void {
    const { widening, knownEnds } = this.#options;
    if (node.choices === undefined) {
      const noise = (node === this.#root ? this.#options.noise : undefined) ?? this.#problem.noise?.(node.state);
      const draw = noise && { ...noise, random: this.#random.at("noise").at(node.key) };
      node.choices = choicesAt(this.#problem, node.state, this.#options.temperature, draw);
    }
    // Edges that are done with make room for others.
    const done = knownEnds === "again" ? 0 : node.edges.reduce((count, { closed }) => (closed ? count + 1 : count), 0);
    const allowed =
      widening === undefined
        ? node.choices.length
        : done +
          Math.max(1, Math.trunc(widening.base + widening.factor * (node.visits + node.pending) ** widening.exponent));
    while (node.edges.length < Math.min(allowed, node.choices.length)) {
      const { action, prior } = node.choices[node.edges.length];
      const untried = { visits: 0, pending: 0, total: 0, best: Number.NEGATIVE_INFINITY };
      const edge: Edge<State, Action> = { action, prior, ...untried, lift: 0, child: undefined, closed: false };
      node.edges.push(edge);
      if (this.#options.shaping > 0) edge.lift = this.#options.shaping * this.#potentialGain(node, edge);
    }
  }

  /** By how much the potential rises over an edge. */
  #potentialGain(node: Node<State, Action>, edge: Edge<State, Action>): number {
    const potential = this.#problem.potential?.bind(this.#problem);
    return potential === undefined ? 0 : potential(this.#childOf(node, edge).state) - potential(node.state);
  }

  #childOf(node: Node<State, Action>, edge: Edge<State, Action>): Node<State, Action> {
    if (edge.child === undefined) {
      edge.child = this.#nodeOf(this.#problem.step(node.state, edge.action));
      this.#steps++;
    }
    return edge.child;
  }

  /** Ends a simulation at a leaf: takes its value if known, waits for it if it is out, asks for it otherwise. */
  #evaluate(
    path: Path<State, Action>,
    leaf: State,
    leafKey: string,
    further: readonly Action[],
  ): Flight<State, Action> | undefined {
    if (this.#options.playout === "prior" && further.length === 0 && !this.#problem.isTerminal(leaf)) {
      const draw = this.#random.at("playout").at(this.#simulations);
      const end = playOut(this.#problem, leaf, this.#options.temperature, draw);
      this.#steps += end.steps;
      if (end.actions.length > 0) return this.#evaluate(path, end.state, this.#problem.key(end.state), end.actions);
    }
    this.#simulations++;
    const reward = this.#rewards.get(leafKey);
    if (reward !== undefined) {
      this.#idle++;
      backUp(path, reward);
      return undefined;
    }
    if (this.#rewards.has(leafKey)) {
      this.#idle++;
      this.#close(path);
      return undefined;
    }
    this.#pendingSimulations++;
    markPending(path, 1);
    const actions = [...this.#prefix, ...path.edges.map(({ action }) => action), ...further];
    const out = this.#flights.get(leafKey);
    if (out !== undefined) {
      out.waiting.push({ path, actions });
      return undefined;
    }
    this.#idle = 0;
    const flight = { key: leafKey, state: leaf, waiting: [{ path, actions }] };
    this.#flights.set(leafKey, flight);
    return flight;
  }

  /** Nothing of a failed evaluation stays but that its edge is not taken again; a failed playout closes nothing. */
  #close({ nodes, edges }: Path<State, Action>): void {
    if (this.#options.playout === "prior" && !nodes[nodes.length - 1].terminal) return;
    if (edges.length > 0) edges[edges.length - 1].closed = true;
    else if (nodes[0].terminal) this.#stopped = "exhausted";
  }

  #nodeOf(state: State): Node<State, Action> {
    const key = this.#problem.key(state);
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const index = this.#nodes.size;
    const terminal = this.#problem.isTerminal(state);
    const node = { key, state, terminal, index, visits: 0, pending: 0, total: 0, choices: undefined, edges: [] };
    this.#nodes.set(key, node);
    return node;
  }
}
