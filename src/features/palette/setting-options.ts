import { maxLanes } from '../../conversation/session/lanes.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { Lane, LaneId, Setup } from '../../conversation/session/types.ts';
import type { ParsedSetting, ParsedValues } from '../../conversation/setup/palette-settings.ts';
import { withSent, withText, type ParamRow, type Params } from '../../conversation/setup/params.ts';
import { withValidToolChoice } from '../../conversation/setup/tool-choice.ts';
import type { NowValue, PaletteOption } from './palette-option.ts';

/** What the options of settings and models work with. */
export interface LaneTools {
  lanes: readonly Lane[];
  /** Nothing may tell which model a lane has. */
  namesHidden: boolean;
  changeSetups: (laneIds: readonly LaneId[], edit: (setup: Setup) => Setup) => void;
  /** Adds a copy of the last lane with its setup changed. */
  addLaneWith: (edit: (setup: Setup) => Setup) => void;
  /** Brings the row of a field on screen and the focus into it. */
  showRow: (row: ParamRow) => void;
}

const none = 'not sent';

/** The texts of one field over the lanes, each once, in order of the first lane that has it. */
function nowValues(lanes: readonly Lane[], row: ParamRow): NowValue[] {
  const values = new Map<string, string[]>();
  lanes.forEach((lane, index) => {
    const setting = lane.setup.params[row.name];
    const text = setting?.sent ? shortText(row, setting.text) : none;
    values.set(text, [...(values.get(text) ?? []), getLaneLetter(index)]);
  });
  return [...values].map(([text, letters]) => ({ text, letters }));
}

const longestText = 24;

function shortText(row: ParamRow, text: string): string {
  if (row.control.type === 'switch') return text === 'true' ? 'on' : 'off';
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > longestText ? `${line.slice(0, longestText)}…` : line;
}

function lanesWords(indices: readonly number[], count: number): string {
  if (count === 1) return '';
  if (indices.length === count) return ' in all lanes';
  return ` in ${listWords(indices.map(getLaneLetter))} only`;
}

function withParams(setup: Setup, params: Params): Setup {
  return { ...setup, params: withValidToolChoice(setup.params, params) };
}

/** What a typed setting can do: in all lanes, in one of them, in a new one, and to take the field out. */
export function settingOptions(reading: ParsedSetting, tools: LaneTools): PaletteOption[] {
  const { row, change } = reading;
  const { lanes } = tools;
  const every = lanes.map((_, index) => index);
  const named = reading.lanes ?? every;
  const at = (indices: readonly number[]) => indices.flatMap((index) => lanes[index] ?? []);
  const about: PaletteOption = {
    id: `about ${row.name}`,
    group: 'Find',
    icon: 'about',
    words: `What ${row.name} does`,
    note: row.description,
    run: () => tools.showRow(row),
  };
  const unset = (indices: readonly number[]): PaletteOption => {
    const places = at(indices);
    const where = lanesWords(indices, lanes.length);
    return {
      id: `unset ${row.name}${where}`,
      group: 'Set',
      icon: 'unset',
      words: `Stop sending ${row.name}${where}`,
      note: "the model's own default applies",
      ...(places.some((lane) => lane.setup.params[row.name]?.sent) ? {} : { blockedBy: 'Not sent now' }),
      run: () => {
        tools.changeSetups(
          places.map((lane) => lane.id),
          (setup) => withParams(setup, withSent(setup.params, row.name, false)),
        );
        return `${row.name} is no longer sent${where}.`;
      },
    };
  };
  if (!change) return [...bareOptions(reading, tools), unset(named), about];
  if (change.kind === 'unset') return [unset(named), about];

  const shown = shortText(row, change.text);
  const set = (indices: readonly number[]): PaletteOption => {
    const places = at(indices);
    const where = lanesWords(indices, lanes.length);
    const isSo = places.every((lane) => {
      const known = lane.setup.params[row.name];
      return known?.sent === true && known.text === change.text;
    });
    const blockedBy = change.problem ?? (isSo ? `Already ${shown}` : undefined);
    return {
      id: `set ${row.name}${where}`,
      group: 'Set',
      icon: 'set',
      words: `Set ${row.name} to ${shown}${where}`,
      now: nowValues(places, row).map(({ text, letters }) => ({
        text,
        letters:
          lanes.length === 1
            ? []
            : letters.map((letter) => getLaneLetter(indices[letter.charCodeAt(0) - 65] ?? 0)),
      })),
      ...(blockedBy === undefined ? {} : { blockedBy }),
      run: () => {
        tools.changeSetups(
          places.map((lane) => lane.id),
          (setup) => withParams(setup, withText(setup.params, row.name, change.text)),
        );
        return `${row.name} is ${shown}${where}.`;
      },
    };
  };
  const singles = reading.lanes === undefined && lanes.length > 1 ? every.map((index) => set([index])) : [];
  const canAdd = change.problem === undefined && reading.lanes === undefined;
  return [
    set(named),
    ...singles,
    unset(named),
    ...(canAdd ? newLane(row, change.text, shown, tools) : []),
    about,
  ];
}

/**
 * A lane for each of several values: the lanes that are there take the first ones, the others are added with all else
 * as in the last of them.
 */
export function valuesOption({ row, texts, problem }: ParsedValues, tools: LaneTools): PaletteOption[] {
  const { lanes } = tools;
  if (lanes.length === 0) return [];
  const here = lanes.slice(0, texts.length);
  const letters = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => getLaneLetter(from + index));
  const added = letters(here.length, texts.length);
  const blockedBy = problem ?? (texts.length > maxLanes ? `Limit: ${maxLanes} lanes` : undefined);
  const values = listWords(texts.map((text) => shortText(row, text)));
  return [
    {
      id: `values ${row.name}`,
      group: 'Compare',
      icon: 'lane',
      words:
        added.length === 0
          ? `Set ${row.name} to ${values} in lanes ${listWords(letters(0, here.length))}`
          : `Make ${texts.length} lanes: ${row.name} ${values}`,
      now: nowValues(here, row).map((value) => (lanes.length === 1 ? { ...value, letters: [] } : value)),
      ...(blockedBy === undefined ? {} : { blockedBy }),
      run: () => {
        texts.forEach((text, index) => {
          const edit = (setup: Setup) => withParams(setup, withText(setup.params, row.name, text));
          const lane = here[index];
          if (lane) tools.changeSetups([lane.id], edit);
          else tools.addLaneWith(edit);
        });
        return `${row.name} is ${values} in lanes ${listWords(letters(0, texts.length))}.`;
      },
    },
  ];
}

function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** A name without a value: a switch can still be turned. */
function bareOptions({ row, lanes: named }: ParsedSetting, tools: LaneTools): PaletteOption[] {
  if (row.control.type !== 'switch') return [];
  return ['true', 'false'].flatMap((text) =>
    settingOptions(
      { row, change: { kind: 'send', text }, lanes: named ?? tools.lanes.map((_, index) => index) },
      tools,
    )
      .slice(0, 1)
      .map((option) => ({ ...option, id: `${option.id} ${text}` })),
  );
}

function newLane(
  row: ParamRow,
  text: string,
  shown: string,
  { lanes, namesHidden, addLaneWith }: LaneTools,
): PaletteOption[] {
  const last = lanes.at(-1);
  if (!last || lanes.length >= maxLanes) return [];
  const model = last.setup.model.slice(last.setup.model.lastIndexOf('/') + 1);
  const letter = getLaneLetter(lanes.length);
  return [
    {
      id: `add ${row.name}`,
      group: 'Compare',
      icon: 'lane',
      words: `Add lane ${letter}: ${namesHidden ? 'the same model' : model === '' ? 'no model yet' : model} at ${row.name} ${shown}`,
      note: `same setup as lane ${getLaneLetter(lanes.length - 1)}`,
      run: () => {
        addLaneWith((setup) => withParams(setup, withText(setup.params, row.name, text)));
        return `Lane ${letter} added with ${row.name} ${shown}.`;
      },
    },
  ];
}
