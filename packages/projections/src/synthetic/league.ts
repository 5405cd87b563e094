import type { Random } from "@coppice/engine";
import { type Game, type Position, WEEK_COUNT } from "../seasons/season.ts";

/** Thirty-two invented teams, alphabetical. */
const TEAMS =
  "ALD ASH ASP BAY BCH BIR BOX CED CHR CYP ELD ELM FIG FIR GUM HAW HAZ HOL IVY JUN LAR LIN MAP OAK OLI PEA PIN PLA POP ROW WIL YEW".split(
    " ",
  );

/** What a team is like all season; none of it is written to the data. */
export interface Team {
  readonly code: string;
  /** Factor on its own players' points. */
  readonly offence: number;
  /** Factor on points of opponents, by position QB, RB, WR, TE, K, DST. */
  readonly defence: readonly number[];
  readonly dome: boolean;
  /** Degrees Fahrenheit in September and how much colder December is. */
  readonly warmth: number;
  readonly cooling: number;
}

/** A player's true level and what forecasters think it is. */
export interface Prospect {
  readonly id: number;
  readonly name: string;
  readonly position: Position;
  readonly team: Team;
  readonly level: number;
  readonly believed: number;
}

/** Mean points of the first, second, … player of a position in a team. */
const DEPTH: Readonly<Record<Position, readonly number[]>> = {
  QB: [18, 5, 0.6],
  RB: [13, 8, 4, 1.5, 0.5],
  WR: [13, 10, 7, 4.5, 2.5, 1.2, 0.6, 0.3],
  TE: [8, 4, 2, 0.8, 0.3],
  K: [8],
  DST: [6.5],
};

const FIRST = "Ada Ben Cal Dora Eli Fay Gus Hal Ira Jo Kit Lou Max Ned Ola Pam Quin Rex Sam Ted Una Vic Wes Zoe".split(
  " ",
);
const LAST =
  "Ackerman Barrow Croft Dale Easton Fielder Grover Hollis Ingram Jarvis Knoll Lund Marsh Norwood Orchard Pike Quarry Ridge Stone Thorne Underhill Vale Wells Yardley".split(
    " ",
  );

export function drawTeams(random: Random): readonly Team[] {
  return TEAMS.map((code) => {
    const own = random.at(code);
    return {
      code,
      offence: spread(own, 0.12),
      defence: [0, 1, 2, 3, 4, 5].map(() => spread(own, 0.1)),
      dome: own.uniform() < 0.3,
      warmth: own.normal(76, 7),
      cooling: own.uniform() * 45,
    };
  });
}

export function drawProspects(teams: readonly Team[], random: Random): readonly Prospect[] {
  let id = 1000;
  return teams.flatMap((team) =>
    Object.entries(DEPTH).flatMap(([position, means]) =>
      means.map((mean, depth) => {
        const own = random.at(`${team.code}/${position}/${depth}`);
        const level = mean * spread(own, 0.25);
        id++;
        return {
          id,
          name: position === "DST" ? `${team.code} D/ST` : `${own.choice(FIRST)} ${own.choice(LAST)}`,
          position: position as Position,
          team,
          level,
          believed: level * spread(own, 0.15),
        };
      }),
    ),
  );
}

/** A factor around 1. */
export function spread(random: Random, deviation: number): number {
  return Math.exp(random.normal(0, deviation));
}

const FIRST_BYE_WEEK = 5;
const BYES_PER_WEEK = 4;
const ABROAD = ["Brazil", "England", "Germany", "Mexico"];

/** Games of each week, at index week − 1. Every team rests once, in weeks 5 to 12, and plays in every other week. */
export function drawSchedule(teams: readonly Team[], random: Random): readonly (readonly Game[])[] {
  const resting = random.at("byes").shuffle(teams);
  return Array.from({ length: WEEK_COUNT }, (_, w) => {
    const own = random.at(`week/${w + 1}`);
    const first = (w + 1 - FIRST_BYE_WEEK) * BYES_PER_WEEK;
    const away = first < 0 ? [] : resting.slice(first, first + BYES_PER_WEEK);
    const playing = own.shuffle(teams.filter((team) => !away.includes(team)));
    const abroad = own.uniform() < 0.3 ? own.integer(0, playing.length / 2 - 1) : -1;
    return Array.from({ length: playing.length / 2 }, (_, i) =>
      game(playing[2 * i], playing[2 * i + 1], w + 1, i === abroad, own),
    );
  });
}

function game(home: Team, away: Team, week: number, abroad: boolean, random: Random): Game {
  const country = abroad ? random.choice(ABROAD) : "USA";
  const indoor = !abroad && home.dome;
  const temperature = Math.round(random.normal(home.warmth - (home.cooling * week) / WEEK_COUNT, 8));
  const gust = Math.round(random.gamma(3, 4.5));
  return {
    home: home.code,
    away: away.code,
    temperature: indoor ? undefined : temperature,
    gust: indoor ? undefined : gust,
    indoor,
    neutralSite: abroad,
    country,
  };
}
