/** Small user preferences, needed before the first paint. */
import { isEqual } from 'es-toolkit';
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { Setup } from '../conversation/session/types.ts';
import { allAbilities, type ModelMarks } from '../conversation/setup/model-marks.ts';
import { readSetup } from '../conversation/setup/setup.ts';
import { isRecord, getNumberProperty, getOwnProperty, parseJson, getStringProperty } from '../lib/json.ts';
import type { Page } from './page.ts';

export type Theme = 'system' | 'light' | 'dark';

export type Density = 'compact' | 'comfortable';

const modelOrders = ['price', 'context', 'owner'] as const;

/** Orders of the model list other than that of the gateway. `owner` also groups the models. */
export type ModelOrder = (typeof modelOrders)[number];

export interface Prefs {
  theme: Theme;
  /** `comfortable`: rows are 4 px higher and replies one text size larger. */
  density?: Density;
  /** True if screen readers announce complete sentences of the answer in the focused lane as they arrive. */
  readBySentence?: boolean;
  parametersOpen: boolean;
  /** True if shortcuts of a single key are enabled; some speech input types them by accident. */
  singleKeys: boolean;
  /** Model and parameters of the last run, the defaults of new sessions. */
  lastSetup?: Setup | undefined;
  lastSessionId?: string | undefined;
  favouriteModels: readonly string[];
  /** Newest first, at most five. Unlisted models are included only after an answer. */
  recentModels: readonly string[];
  /** Recent models that the gateway listed when they were used. */
  listedModels?: readonly string[];
  /** Order of the model list; if undefined, as the gateway lists the models. */
  modelOrder?: ModelOrder | undefined;
  /** Lines per row in the cases of a trial; if undefined, as many as the values need. */
  trialRowLines?: 1 | 2 | 3 | undefined;
  /** IDs of commands chosen in the command palette, newest first. */
  recentCommands?: readonly string[];
  /** Limit below the server's limit; if undefined, the server's limit applies. */
  requestsPerMinute?: number | undefined;
  /** Abilities set by the user where model records are missing or wrong. */
  modelMarks?: ModelMarks;
  /**
   * Stored by earlier versions and only read here. `sentAt` moved to run-queue.ts, the other three to
   * learned-models.ts.
   */
  sentAt?: readonly number[];
  /** Gateways and models that rejected `stream_options`. */
  refusesUsage?: readonly string[];
  learned?: unknown;
  firstTokens?: Readonly<Record<string, number>>;
}

const storageKey = 'bench-prefs';

/** Preferences on the first visit. */
export const defaultPrefs: Prefs = {
  theme: 'system',
  parametersOpen: true,
  singleKeys: true,
  favouriteModels: [],
  recentModels: [],
};

export type PrefsStore = StoreApi<Prefs>;

/**
 * Reads stored preferences, stores each change separately and applies changes from other tabs, so that tabs never
 * overwrite each other. Also works without storage.
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
      // If storage is full or blocked, only the next visit is affected.
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
      isEqual(previousValues.get(name), currentValues.get(name)) ? [] : [[name, currentValues.get(name)]],
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

/** Reads each preference separately, so that an invalid one does not affect the others. */
export function readPrefs(raw: unknown): Prefs {
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
    modelOrder: modelOrders.find((order) => order === getOwnProperty(raw, 'modelOrder')),
    trialRowLines: ([1, 2, 3] as const).find((lines) => lines === getOwnProperty(raw, 'trialRowLines')),
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

/** Returns preferences with this model as the most recent one, and records it as listed if it is. */
function withRecentModel(prefs: Prefs, model: string, isListed: boolean): Partial<Prefs> {
  const recentModels = [model, ...prefs.recentModels.filter((id) => id !== model)].slice(0, 5);
  const listedModels = new Set([...(prefs.listedModels ?? []), ...(isListed ? [model] : [])]);
  return { recentModels, listedModels: recentModels.filter((id) => listedModels.has(id)) };
}

/** Returns preferences after a request to this model. An unlisted model becomes recent only after an answer. */
export function withRequestedModel(prefs: Prefs, model: string, isListed: boolean): Partial<Prefs> {
  return isListed || prefs.recentModels.includes(model) ? withRecentModel(prefs, model, isListed) : {};
}

/** Returns preferences after a run that did not fail. */
export function withAnsweredModel(prefs: Prefs, model: string, isListed: boolean): Partial<Prefs> {
  // Models requested in the meantime are more recent.
  return prefs.recentModels.includes(model) ? {} : withRecentModel(prefs, model, isListed);
}
