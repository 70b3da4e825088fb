import { formatCount } from '../../lib/format.ts';
/** What tells a lane from the others: the first thing that a reader of a comparison wants to know of it. */
import { differingParams } from '../session/differing-params.ts';
import type { Setup } from '../session/types.ts';
import type { ParamName, Params } from '../setup/params.ts';

export interface LaneHeadline {
  /** What differs from the lanes with the same model, else the model. */
  headline: string;
  /** The model where the headline is something else; its owner where the headline is its name. */
  under: string;
  /** What differs from the other lanes, each as "temperature 0.2". */
  chips: string[];
}

/** Longer values are cut: the headline stays one line. */
const longestChip = 34;

/** For each lane in order. Lanes without a setup of their own, such as an answer written by hand, have no model. */
export function laneHeadlines(setups: readonly (Setup | undefined)[]): LaneHeadline[] {
  return setups.map((setup): LaneHeadline => {
    if (!setup) return { headline: 'Written by hand', under: '', chips: [] };
    const { model } = setup;
    const [owner, name] = apart(model);
    const alike = setups.filter((other): other is Setup => other?.model === model);
    const chips = chipsOf(setup, alike);
    if (chips.length > 0) return { headline: chips.join(', '), under: model, chips };
    const all = setups.filter((other): other is Setup => other !== undefined);
    const sent = chipsOf(setup, all).filter((chip) => !chip.endsWith(' not sent') && !chip.startsWith('no '));
    return { headline: name === '' ? 'No model yet' : name, under: owner, chips: sent };
  });
}

/** Owner and name of a model's ID. */
export function apart(model: string): [owner: string, name: string] {
  const cut = model.indexOf('/');
  return cut <= 0 || cut === model.length - 1 ? ['', model] : [model.slice(0, cut), model.slice(cut + 1)];
}

/** What this setup sends otherwise than one of those. */
function chipsOf(setup: Setup, among: readonly Setup[]): string[] {
  const params = differingParams(among.map((other) => other.params)).map(
    (name) => `${name} ${shownValue(setup.params, name)}`,
  );
  const differsInSystem = among.some(({ system }) => system.trim() !== setup.system.trim());
  const system = setup.system.trim() === '' ? 'no system prompt' : `system “${oneLine(setup.system)}”`;
  return [...params, ...(differsInSystem ? [system] : [])].map(cut);
}

function shownValue(params: Params, name: ParamName): string {
  const setting = params[name];
  if (!setting?.sent) return 'not sent';
  return /^\d{4,15}$/.test(setting.text) ? formatCount(Number(setting.text)) : oneLine(setting.text);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function cut(chip: string): string {
  return chip.length > longestChip ? `${chip.slice(0, longestChip - 1)}…` : chip;
}
