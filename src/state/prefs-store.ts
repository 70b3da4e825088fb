/** Small choices of the person, wanted before the first paint. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { isDeepEqual } from '../conversation/session/request-diff.ts';
import type { Setup } from '../conversation/session/types.ts';
import { allAbilities, type ModelMarks } from '../conversation/setup/model-marks.ts';
import { readSetup } from '../conversation/setup/setup.ts';
import { isRecord, getNumberProperty, getOwnProperty, parseJson, getStringProperty } from '../lib/json.ts';
import type { Page } from './page.ts';

export type Theme = 'system' | 'light' | 'dark';

export type Density = 'compact' | 'comfortable';

export interface Prefs {
  theme: Theme;
  /** comfortable: rows 4 px higher, replies one step larger. */
  density?: Density;
  /** Whole sentences of the answer in the focused lane are said to screen readers as they arrive. */
  readBySentence?: boolean;
  parametersOpen: boolean;
  /** Shortcuts of one key without a modifier; some speech input types them by accident. */
  singleKeys: boolean;
  /** Model and parameters of the last run: what a new session starts with. */
  lastSetup?: Setup | undefined;
  lastSessionId?: string | undefined;
  favouriteModels: readonly string[];
  /** The newest first, at most five; of those that are not listed only what has answered. */
  recentModels: readonly string[];
  /** Those of them that the gateway listed when they were used. */
  listedModels?: readonly string[];
  /** Commands that were picked in the command field, by id, the newest first. */
  recentCommands?: readonly string[];
  /** Lower than the server's limit, or undefined to use that. */
  requestsPerMinute?: number | undefined;
  /** What a person knows of models that their records do not say, or say wrongly. */
  modelMarks?: ModelMarks;
  /** Stored here by earlier versions and only read: now in run-queue.ts, the other three in learned-models.ts. */
  sentAt?: readonly number[];
  /** Gateway and model where `stream_options` was refused. */
  refusesUsage?: readonly string[];
  learned?: unknown;
  firstTokens?: Readonly<Record<string, number>>;
}

const storageKey = 'bench-prefs';

/** What a first visit has. */
export const defaultPrefs: Prefs = {
  theme: 'system',
  parametersOpen: true,
  singleKeys: true,
  favouriteModels: [],
  recentModels: [],
};

export type PrefsStore = StoreApi<Prefs>;

/**
 * Reads what is stored, whatever it is, stores each change by itself, and applies changes of other tabs: two tabs never
 * undo each other's choices. Works where the page stores nothing.
 */
export function createPrefsStore(storage: Page['storage']): PrefsStore {
  const store = createStore<Prefs>(() => readPrefs(readStoredPrefs(storage)));
  let isApplyingRemoteChange = false;
  store.subscribe((prefs, previous) => {
    if (isApplyingRemoteChange) return;
    const changes = findChanges(previous, prefs);
    if (changes.length === 0) return;
    try {
      const { ...stored } = readStoredPrefs(storage);
      for (const [name, value] of changes) {
        if (value === undefined) delete stored[name];
        else stored[name] = value;
      }
      storage.setItem(storageKey, JSON.stringify(stored));
    } catch {
      // A full or forbidden storage costs the choice at the next visit, nothing now.
    }
  });
  storage.onChange?.(() => {
    isApplyingRemoteChange = true;
    store.setState(readPrefs(readStoredPrefs(storage)), true);
    isApplyingRemoteChange = false;
  });
  return store;
}

function findChanges(before: Prefs, after: Prefs): [name: string, value: unknown][] {
  const previousValues = new Map<string, unknown>(Object.entries(before));
  const currentValues = new Map<string, unknown>(Object.entries(after));
  return [...new Set([...previousValues.keys(), ...currentValues.keys()])].flatMap(
    (name): [string, unknown][] =>
      isDeepEqual(previousValues.get(name), currentValues.get(name)) ? [] : [[name, currentValues.get(name)]],
  );
}

function readStoredPrefs(storage: Page['storage']): Record<string, unknown> {
  try {
    const text = storage.getItem(storageKey);
    const reading = text === null ? undefined : parseJson(text);
    return reading?.ok && isRecord(reading.value) ? reading.value : {};
  } catch {
    return {};
  }
}

/** Each choice by itself: one that cannot be read costs no other. */
function readPrefs(raw: unknown): Prefs {
  const theme = getStringProperty(raw, 'theme');
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    density: getStringProperty(raw, 'density') === 'comfortable' ? 'comfortable' : 'compact',
    readBySentence: getOwnProperty(raw, 'readBySentence') === true,
    parametersOpen: getOwnProperty(raw, 'parametersOpen') !== false,
    singleKeys: getOwnProperty(raw, 'singleKeys') !== false,
    lastSetup: readSetup(getOwnProperty(raw, 'lastSetup')),
    lastSessionId: getStringProperty(raw, 'lastSessionId'),
    favouriteModels: toStrings(getOwnProperty(raw, 'favouriteModels')),
    recentModels: toStrings(getOwnProperty(raw, 'recentModels')),
    listedModels: toStrings(getOwnProperty(raw, 'listedModels')),
    recentCommands: toStrings(getOwnProperty(raw, 'recentCommands')),
    requestsPerMinute: getNumberProperty(raw, 'requestsPerMinute'),
    sentAt: toList(getOwnProperty(raw, 'sentAt')).filter((sentAt) => typeof sentAt === 'number'),
    modelMarks: readMarks(getOwnProperty(raw, 'modelMarks')),
    refusesUsage: toStrings(getOwnProperty(raw, 'refusesUsage')),
    learned: getOwnProperty(raw, 'learned'),
    firstTokens: readNumbers(getOwnProperty(raw, 'firstTokens')),
  };
}

function readNumbers(raw: unknown): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(isRecord(raw) ? raw : {}).filter((entry): entry is [string, number] =>
      Number.isFinite(entry[1]),
    ),
  );
}

function toList(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : [];
}

function toStrings(raw: unknown): string[] {
  return toList(raw).filter((value) => typeof value === 'string');
}

function readMarks(raw: unknown): ModelMarks {
  if (!isRecord(raw)) return {};
  const marks = Object.entries(raw).flatMap(([model, mark]): [string, ModelMarks[string]][] => {
    if (!isRecord(mark)) return [];
    const abilities = allAbilities.flatMap((ability) => {
      const isSupported = getOwnProperty(mark, ability);
      return typeof isSupported === 'boolean' ? [[ability, isSupported] as const] : [];
    });
    return [[model, Object.fromEntries(abilities)]];
  });
  return Object.fromEntries(marks);
}

/** The prefs after a model was used: it leads the recent ones, and that it was listed is not forgotten. */
function withRecentModel(prefs: Prefs, model: string, isListed: boolean): Partial<Prefs> {
  const recentModels = [model, ...prefs.recentModels.filter((id) => id !== model)].slice(0, 5);
  const listedModels = new Set([...(prefs.listedModels ?? []), ...(isListed ? [model] : [])]);
  return { recentModels, listedModels: recentModels.filter((id) => listedModels.has(id)) };
}

/** The prefs when a model is asked: an ID that is not listed is not offered again before it has answered. */
export function withRequestedModel(prefs: Prefs, model: string, isListed: boolean): Partial<Prefs> {
  return isListed || prefs.recentModels.includes(model) ? withRecentModel(prefs, model, isListed) : {};
}

/** The prefs after a run that did not fail. */
export function withAnsweredModel(prefs: Prefs, model: string, isListed: boolean): Partial<Prefs> {
  // Whatever was asked meanwhile was asked later.
  return prefs.recentModels.includes(model) ? {} : withRecentModel(prefs, model, isListed);
}
