import { maxLanes } from '../../conversation/session/lanes.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { Lane, LaneId, Setup } from '../../conversation/session/types.ts';
import type { ParsedSetting, ParsedValues } from '../../conversation/setup/palette-settings.ts';
import { withSent, withText, type ParamRow, type Params } from '../../conversation/setup/params.ts';
import { withValidToolChoice } from '../../conversation/setup/tool-choice.ts';
import { formatList } from '../../lib/format.ts';
import type { CurrentValue, PaletteOption } from './palette-option.ts';

/** Functions used by the setting and model options. */
export interface LaneTools {
  lanes: readonly Lane[];
  /** True if the models of lanes must not be revealed. */
  namesHidden: boolean;
  changeSetups: (laneIds: readonly LaneId[], edit: (setup: Setup) => Setup) => void;
  /** Returns a key that is equal for equal models of one gateway. */
  getModelKey: (setup: Setup) => string;
  /** Adds a copy of the last lane with a changed setup. */
  addLaneWith: (edit: (setup: Setup) => Setup) => void;
  /** Shows the row of a parameter and focuses it. */
  showParameter: (row: ParamRow) => void;
}

const notSentText = 'not sent';

/** Lists the distinct values of one field, ordered by the first lane that has each value. */
function listCurrentValues(lanes: readonly Lane[], row: ParamRow): CurrentValue[] {
  const values = new Map<string, string[]>();
  lanes.forEach((lane, index) => {
    const setting = lane.setup.params[row.name];
    const text = setting?.sent ? shortenText(row, setting.text) : notSentText;
    values.set(text, [...(values.get(text) ?? []), getLaneLetter(index)]);
  });
  return [...values].map(([text, letters]) => ({ text, letters }));
}

const maxTextChars = 24;

function shortenText(row: ParamRow, text: string): string {
  if (row.control.type === 'switch') return text === 'true' ? 'on' : 'off';
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > maxTextChars ? `${line.slice(0, maxTextChars)}…` : line;
}

function describeLanes(indices: readonly number[], count: number): string {
  if (count === 1) return '';
  if (indices.length === count) return ' in all lanes';
  return ` in ${formatList(indices.map(getLaneLetter))} only`;
}

function withParams(setup: Setup, params: Params): Setup {
  return { ...setup, params: withValidToolChoice(setup.params, params) };
}

/** Returns the options for a typed setting: set it in all lanes, one lane or a new lane, or stop sending the field. */
export function buildSettingOptions(parsedSetting: ParsedSetting, tools: LaneTools): PaletteOption[] {
  const { row, change } = parsedSetting;
  const { lanes } = tools;
  const allIndices = lanes.map((_, index) => index);
  const targetIndices = parsedSetting.lanes ?? allIndices;
  const getLanes = (indices: readonly number[]) => indices.flatMap((index) => lanes[index] ?? []);
  const aboutOption: PaletteOption = {
    id: `about ${row.name}`,
    group: 'Find',
    icon: 'about',
    label: `About ${row.name}`,
    note: row.description,
    run: () => tools.showParameter(row),
  };
  const createUnsetOption = (indices: readonly number[]): PaletteOption => {
    const targetLanes = getLanes(indices);
    const laneText = describeLanes(indices, lanes.length);
    return {
      id: `unset ${row.name}${laneText}`,
      group: 'Set',
      icon: 'unset',
      label: `Stop sending ${row.name}${laneText}`,
      note: "the model's default applies",
      ...(targetLanes.some((lane) => lane.setup.params[row.name]?.sent)
        ? {}
        : { disabledReason: 'Not sent' }),
      run: () => {
        tools.changeSetups(
          targetLanes.map((lane) => lane.id),
          (setup) => withParams(setup, withSent(setup.params, row.name, false)),
        );
        return `${row.name} is no longer sent${laneText}.`;
      },
    };
  };
  if (!change)
    return [...buildSwitchOptions(parsedSetting, tools), createUnsetOption(targetIndices), aboutOption];
  if (change.kind === 'unset') return [createUnsetOption(targetIndices), aboutOption];

  const formattedValue = shortenText(row, change.text);
  const createSetOption = (indices: readonly number[]): PaletteOption => {
    const targetLanes = getLanes(indices);
    const laneText = describeLanes(indices, lanes.length);
    const isAlreadySet = targetLanes.every((lane) => {
      const setting = lane.setup.params[row.name];
      return setting?.sent === true && setting.text === change.text;
    });
    const disabledReason = change.problem ?? (isAlreadySet ? `Already set to ${formattedValue}` : undefined);
    return {
      id: `set ${row.name}${laneText}`,
      group: 'Set',
      icon: 'set',
      label: `Set ${row.name} to ${formattedValue}${laneText}`,
      currentValues: listCurrentValues(targetLanes, row).map(({ text, letters }) => ({
        text,
        letters:
          lanes.length === 1
            ? []
            : letters.map((letter) => getLaneLetter(indices[letter.charCodeAt(0) - 65] ?? 0)),
      })),
      ...(disabledReason === undefined ? {} : { disabledReason }),
      run: () => {
        tools.changeSetups(
          targetLanes.map((lane) => lane.id),
          (setup) => withParams(setup, withText(setup.params, row.name, change.text)),
        );
        return `${row.name} set to ${formattedValue}${laneText}.`;
      },
    };
  };
  const singleLaneOptions =
    parsedSetting.lanes === undefined && lanes.length > 1
      ? allIndices.map((index) => createSetOption([index]))
      : [];
  const canAdd = change.problem === undefined && parsedSetting.lanes === undefined;
  return [
    createSetOption(targetIndices),
    ...singleLaneOptions,
    createUnsetOption(targetIndices),
    ...(canAdd ? buildNewLaneOptions(row, change.text, formattedValue, tools) : []),
    aboutOption,
  ];
}

/**
 * Returns the option for several values, one per lane. Existing lanes take the first values; for the rest, copies of
 * the last lane are added.
 */
export function buildValuesOption({ row, texts, problem }: ParsedValues, tools: LaneTools): PaletteOption[] {
  const { lanes } = tools;
  if (lanes.length === 0) return [];
  const existingLanes = lanes.slice(0, texts.length);
  const listLetters = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => getLaneLetter(from + index));
  const newLetters = listLetters(existingLanes.length, texts.length);
  const disabledReason = problem ?? (texts.length > maxLanes ? `Limit: ${maxLanes} lanes` : undefined);
  const valuesText = formatList(texts.map((text) => shortenText(row, text)));
  return [
    {
      id: `values ${row.name}`,
      group: 'Compare',
      icon: 'lane',
      label:
        newLetters.length === 0
          ? `Set ${row.name} to ${valuesText} in lanes ${formatList(listLetters(0, existingLanes.length))}`
          : `Compare ${texts.length} lanes: ${row.name} ${valuesText}`,
      currentValues: listCurrentValues(existingLanes, row).map((value) =>
        lanes.length === 1 ? { ...value, letters: [] } : value,
      ),
      ...(disabledReason === undefined ? {} : { disabledReason }),
      run: () => {
        texts.forEach((text, index) => {
          const edit = (setup: Setup) => withParams(setup, withText(setup.params, row.name, text));
          const lane = existingLanes[index];
          if (lane) tools.changeSetups([lane.id], edit);
          else tools.addLaneWith(edit);
        });
        return `${row.name} set to ${valuesText} in lanes ${formatList(listLetters(0, texts.length))}.`;
      },
    },
  ];
}

/** Returns options for a name without a value, which is enough to toggle a switch. */
function buildSwitchOptions({ row, lanes: targetIndices }: ParsedSetting, tools: LaneTools): PaletteOption[] {
  if (row.control.type !== 'switch') return [];
  return ['true', 'false'].flatMap((text) =>
    buildSettingOptions(
      { row, change: { kind: 'send', text }, lanes: targetIndices ?? tools.lanes.map((_, index) => index) },
      tools,
    )
      .slice(0, 1)
      .map((option) => ({ ...option, id: `${option.id} ${text}` })),
  );
}

function buildNewLaneOptions(
  row: ParamRow,
  text: string,
  formattedValue: string,
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
      label: `Add lane ${letter}: ${namesHidden ? 'the same model' : model === '' ? 'no model yet' : model} with ${row.name} ${formattedValue}`,
      note: `same setup as lane ${getLaneLetter(lanes.length - 1)}`,
      run: () => {
        addLaneWith((setup) => withParams(setup, withText(setup.params, row.name, text)));
        return `Lane ${letter} added with ${row.name} ${formattedValue}.`;
      },
    },
  ];
}
