import type { Random } from "@coppice/engine";
import { type Game, WEEK_COUNT } from "../seasons/season.ts";
import type { Team } from "./league.ts";

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
