/** Builds the headlines of lanes from the settings that distinguish them. */
import { isEqual } from 'es-toolkit';

import { formatCount } from '../../lib/format.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import { getSetupGatewayLabel, type GatewayName } from '../reply/run-gateway.ts';
import { findDifferingParams } from '../session/differing-params.ts';
import type { Setup } from '../session/types.ts';
import type { ParamName, Params } from '../setup/params.ts';

export interface LaneHeadline {
  /** Name given by the user, otherwise differences from other lanes with the same model, otherwise the model name. */
  headline: string;
  /** Owner of the model if the headline is the model's name, otherwise the model ID. */
  subtitle: string;
  /** Differences from the other lanes, such as "temperature 0.2". */
  chips: string[];
  /** Name given by the user. */
  name?: string;
}

/** Maximum length in characters; longer chips are truncated so that the headline fits on one line. */
const maxChipChars = 34;

/**
 * Returns one headline per lane. Lanes without a setup, such as answers written by hand, have no model. `gateways` are
 * those of the server, and `names` those that the user gave to lanes.
 */
export function getLaneHeadlines(
  setups: readonly (Setup | undefined)[],
  gateways: readonly GatewayName[] = [],
  names: readonly (string | undefined)[] = [],
): LaneHeadline[] {
  return describeSetups(setups, gateways).map((described, index): LaneHeadline => {
    const fullName = names[index];
    if (fullName === undefined) return described;
    const name = getDisplayTitle(fullName);
    return { ...described, headline: name, subtitle: setups[index]?.model ?? described.headline, name };
  });
}

/** Returns the subtitle with the differences that are not part of the headline. */
export function formatSubtitle({ headline, subtitle, chips }: LaneHeadline): string {
  return [subtitle, ...chips.filter((chip) => !headline.includes(chip))]
    .filter((part) => part !== '')
    .join(' · ');
}

function describeSetups(
  setups: readonly (Setup | undefined)[],
  gateways: readonly GatewayName[],
): LaneHeadline[] {
  return setups.map((setup): LaneHeadline => {
    if (!setup) return { headline: 'Written by hand', subtitle: '', chips: [] };
    const { model } = setup;
    const [owner, name] = splitModelId(model);
    const sameModelSetups = setups.filter((otherSetup): otherSetup is Setup => otherSetup?.model === model);
    const chips = buildChips(setup, sameModelSetups, gateways);
    if (chips.length > 0) return { headline: chips.join(', '), subtitle: model, chips };
    const definedSetups = setups.filter((otherSetup): otherSetup is Setup => otherSetup !== undefined);
    const sentChips = buildChips(setup, definedSetups, gateways).filter(
      (chip) => !chip.endsWith(' not sent') && !chip.startsWith('no '),
    );
    return { headline: name === '' ? 'No model yet' : name, subtitle: owner, chips: sentChips };
  });
}

/** Splits a model ID into owner and name. */
export function splitModelId(model: string): [owner: string, name: string] {
  const slashIndex = model.indexOf('/');
  return slashIndex <= 0 || slashIndex === model.length - 1
    ? ['', model]
    : [model.slice(0, slashIndex), model.slice(slashIndex + 1)];
}

/** Returns the settings that differ between this setup and the compared ones. */
function buildChips(
  setup: Setup,
  comparedSetups: readonly Setup[],
  gateways: readonly GatewayName[],
): string[] {
  const gatewayLabel = getSetupGatewayLabel(setup, gateways);
  const differsInGateway = comparedSetups.some(
    (otherSetup) => getSetupGatewayLabel(otherSetup, gateways) !== gatewayLabel,
  );
  const paramChips = findDifferingParams(comparedSetups.map((otherSetup) => otherSetup.params)).map(
    (name) => `${name} ${formatSettingText(setup.params, name)}`,
  );
  const differsInSystem = comparedSetups.some(({ system }) => system.trim() !== setup.system.trim());
  const systemChip = describeSystem(
    setup.system,
    comparedSetups.map(({ system }) => system),
  );
  const gatewayChip = `gateway ${gatewayLabel}`;
  return [
    ...(differsInGateway ? [gatewayChip] : []),
    ...paramChips,
    ...(differsInSystem ? [systemChip] : []),
  ].map(truncateChip);
}

/** Minimum number of shared words at the start that are left out; a text is easier to recognise by its start. */
const minOmittedPrefixLength = 3;

/** Describes the system prompt by the words that distinguish it, because long prompts often start alike. */
function describeSystem(system: string, comparedSystems: readonly string[]): string {
  const words = splitAtSpaces(system);
  if (words.length === 0) return 'no system prompt';
  const otherPrompts = comparedSystems
    .map(splitAtSpaces)
    .filter((other) => other.length > 0 && !isEqual(other, words));
  const countShared = (
    max: number,
    getWord: (list: readonly string[], index: number) => string | undefined,
  ) =>
    countWhile(max, (index) =>
      otherPrompts.every((other) => getWord(other, index) === getWord(words, index)),
    );
  const maxShared = Math.min(words.length, ...otherPrompts.map((other) => other.length));
  const startCount = countShared(maxShared, (list, index) => list[index]);
  if (otherPrompts.length === 0 || startCount < minOmittedPrefixLength) return `system “${words.join(' ')}”`;
  const endCount = countShared(maxShared - startCount, (list, index) => list.at(-1 - index));
  const distinctPart = words.slice(startCount, words.length - endCount);
  if (distinctPart.length === 0) return 'shorter system prompt';
  return `system “…${distinctPart.join(' ')}${endCount > 0 ? '…' : ''}”`;
}

/** Returns how many indices from 0 satisfy the condition, up to `max`. */
function countWhile(max: number, isShared: (index: number) => boolean): number {
  let count = 0;
  while (count < max && isShared(count)) count += 1;
  return count;
}

function splitAtSpaces(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function formatSettingText(params: Params, name: ParamName): string {
  const setting = params[name];
  if (!setting?.sent) return 'not sent';
  return /^\d{4,15}$/.test(setting.text) ? formatCount(Number(setting.text)) : toOneLine(setting.text);
}

function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function truncateChip(chip: string): string {
  return chip.length > maxChipChars ? `${chip.slice(0, maxChipChars - 1)}…` : chip;
}
