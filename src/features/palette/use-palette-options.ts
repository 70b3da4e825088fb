import { queryOptions, useQuery } from '@tanstack/react-query';

import { findMessages } from '../../conversation/find/hits.ts';
import type { Lane, Session, Setup, SessionData } from '../../conversation/session/types.ts';
import {
  describeMissingLanes,
  parseSettings,
  parseValues,
} from '../../conversation/setup/palette-settings.ts';
import type { ParamName, ParamRow } from '../../conversation/setup/params.ts';
import { pluralize } from '../../lib/format.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import {
  usePrefs,
  useRoute,
  useSessionShallow,
  useView,
  useSessionServices,
  useAppServices,
  useRunServices,
  useLibraryServices,
} from '../../state/contexts.tsx';
import type { LibraryServices, RunServices } from '../../state/create-playground.ts';
import { openFindAt, type FindStore } from '../../state/find/find-store.ts';
import { runAndReport } from '../../state/notices.ts';
import type { PrefsStore } from '../../state/prefs-store.ts';
import { getCurrentSession } from '../../state/sessions/session-store.ts';
import { useModelOptions } from '../models/use-model-options.ts';
import { buildLaneOptions, buildPaletteModelOptions } from './palette-model-options.ts';
import type { PaletteCommand, PaletteOption } from './palette-option.ts';
import { buildSettingOptions, buildValuesOption, type LaneTools } from './setting-options.ts';

/** Shows the row of a parameter and focuses it. */
export type ShowParameter = (name: ParamName) => void;

const maxRecentSessions = 5;
const maxSessions = 20;

/** Returns the query options for all stored sessions. */
export function getSessionsQueryOptions({
  library,
  recorder,
}: Pick<LibraryServices, 'library'> & Pick<RunServices, 'recorder'>) {
  return queryOptions({
    queryKey: ['sessions for commands'],
    queryFn: async () => {
      await recorder.flush();
      return library.list();
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

/** Returns the options for the typed text, and its interpretation if it is a setting. */
export function usePaletteOptions(
  typedText: string,
  listCommands: () => PaletteCommand[],
  showParameter: ShowParameter,
): { options: PaletteOption[]; interpretation?: readonly string[]; missingLaneMessage?: string | undefined } {
  const { recorder } = useRunServices();
  const { library } = useLibraryServices();
  const { router, notices, prefs } = useAppServices();
  const { session, find } = useSessionServices();
  const chatModels = useModelOptions({ kind: 'chat' });
  const recent = usePrefs((prefs) => prefs.recentModels);
  const recentCommands = usePrefs((prefs) => prefs.recentCommands) ?? noCommands;
  const tools = useLaneTools(showParameter);
  const buildTypedActions = useTypedActions();
  const { data: sessions = [] } = useQuery(getSessionsQueryOptions({ library, recorder }));
  const createOpenOption = (session: Session): PaletteOption => ({
    id: `open ${session.id}`,
    group: 'Sessions',
    icon: 'session',
    label: getDisplayTitle(session.title),
    note: describeSession(session),
    run: () => router.navigate({ screen: 'playground', sessionId: session.id }),
  });

  const withFailureNotices = (options: readonly PaletteOption[]) =>
    options.map((option) => ({ ...option, run: () => runAndReport(notices, option.run) }));
  const listTrackedCommands = () => listCommands().map((command) => withRecentTracking(prefs, command));

  const text = typedText.trim();
  if (text === '') {
    const newest = sessions.slice(0, maxRecentSessions).map(createOpenOption);
    return {
      options: withFailureNotices(
        groupOptions(buildInitialOptions(listTrackedCommands(), recentCommands, newest)),
      ),
    };
  }
  if (text.startsWith('@'))
    return {
      options: withFailureNotices(
        buildPaletteModelOptions(chatModels, text.slice(1), { hasAtSign: true, recent }, tools),
      ),
    };
  const values = tools.lanes.length === 0 ? undefined : parseValues(text);
  const parsedSettings = tools.lanes.length === 0 || values ? [] : parseSettings(text, tools.lanes.length);
  const addLaneOptions = buildLaneOptions(chatModels, text, recent, tools);
  const data = tools.lanes.length === 0 ? undefined : getCurrentSession(session.getState());
  const terms = text.toLowerCase().split(/\s+/);
  const matchingCommands = findCommands(listTrackedCommands(), text).map((option) => ({
    ...option,
    group: 'Commands',
  }));
  const hasRunnableCommand = matchingCommands.some(({ disabledReason }) => disabledReason === undefined);
  const matchingSessions = sessions.filter(({ title }) =>
    terms.every((word) => title.toLowerCase().includes(word)),
  );
  const allOptions = groupOptions([
    ...buildTypedActions(text),
    ...(values ? buildValuesOption(values, tools) : []),
    ...addLaneOptions,
    ...parsedSettings.flatMap((parsedSetting) => buildSettingOptions(parsedSetting, tools)),
    ...(hasRunnableCommand ? matchingCommands : []),
    ...(text.length > 1 && addLaneOptions.length === 0
      ? buildPaletteModelOptions(
          chatModels,
          text,
          { hasAtSign: false, isWholeWord: hasRunnableCommand, recent },
          tools,
        )
      : []),
    ...matchingSessions.slice(0, maxSessions).map(createOpenOption),
    ...(data ? buildMessageOptions(data, text, find) : []),
    ...(hasRunnableCommand ? [] : matchingCommands),
  ]);
  const options = withFailureNotices(allOptions);
  const first = parsedSettings.length === 1 ? parsedSettings[0] : undefined;
  const missingLaneMessage =
    tools.lanes.length === 0 ? undefined : describeMissingLanes(text, tools.lanes.length);
  if (!first?.change) return { options, missingLaneMessage };
  return {
    options,
    interpretation: [first.row.name, first.change.kind === 'unset' ? 'not sent' : first.change.text],
  };
}

/** Puts options of the same group next to each other, with the groups in the order of their first options. */
function groupOptions(options: readonly PaletteOption[]): PaletteOption[] {
  const groups = [...new Set(options.map(({ group }) => group))];
  return groups.flatMap((group) => options.filter((option) => option.group === group));
}

function describeSession({ summary, updatedAt }: Session): string {
  const dateText = new Date(updatedAt).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  return summary ? `${pluralize(summary.prompts, 'message')}, ${dateText}` : dateText;
}

const noLanes: readonly Lane[] = [];

function useLaneTools(showParameter: ShowParameter): LaneTools {
  const { actions, session } = useSessionServices();
  const { gateways } = useAppServices();
  const isPlayground = useRoute().screen === 'playground';
  const lanes = useSessionShallow((data) =>
    data.session.laneIds.flatMap((laneId) => data.lanes[laneId] ?? []),
  );
  const namesHidden = useView((view) => view.namesHidden);
  return {
    lanes: (isPlayground && lanes) || noLanes,
    namesHidden,
    changeSetups: actions.changeSetups,
    getModelKey: gateways.getModelKey,
    addLaneWith: (edit: (setup: Setup) => Setup) => {
      actions.addLane();
      const newLaneId = getCurrentSession(session.getState())?.session.laneIds.at(-1);
      if (newLaneId !== undefined) actions.changeSetups([newLaneId], edit);
    },
    showParameter: ({ name }: ParamRow) => showParameter(name),
  };
}

/** Returns options for commands with a value: the session title and the requests per minute. */
function useTypedActions(): (text: string) => PaletteOption[] {
  const { actions } = useSessionServices();
  const { prefs } = useAppServices();
  const queue = useRunServices().getQueue();
  const title = useSessionShallow((data) => data.session.title);
  const isPlayground = useRoute().screen === 'playground';
  return (text) => {
    // "rename lane b" is the command of that lane.
    const name = /^(?:rename|title)(?:\s+(?:to|the session|session))?\s+(?!lane(?: [a-f])?$)(\S.*)$/i.exec(
      text,
    )?.[1];
    const limit = /^(?:rpm|requests(?: (?:a|per) minute)?|limit requests to)\s+(\d{1,5})$/i.exec(text)?.[1];
    const options: PaletteOption[] = [];
    if (name !== undefined && isPlayground && title !== undefined) {
      options.push({
        id: 'rename',
        group: 'Session',
        icon: 'session',
        label: `Rename session to ${name}`,
        note: `currently ${title}`,
        run: () => actions.renameSession(name),
      });
    }
    if (limit !== undefined && Number(limit) > 0) {
      options.push({
        id: 'rpm',
        group: 'Set',
        icon: 'set',
        label: `Limit requests to ${limit} per minute`,
        note:
          queue.getLimit() === 0
            ? 'currently no limit'
            : `currently ${queue.getLimit()}; the server limit still applies`,
        run: () => {
          prefs.setState({ requestsPerMinute: Number(limit) });
          return `Limit set to ${pluralize(queue.getLimit(), 'request')} per minute.`;
        },
      });
    }
    return options;
  };
}

/** Icons of commands by their group; "Go to" has the arrow of all other commands. */
const groupIcons: Readonly<Record<string, PaletteOption['icon']>> = {
  Session: 'session',
  Answers: 'answer',
  Lanes: 'lane',
  Screen: 'screen',
  Presets: 'preset',
  Embeddings: 'embedding',
  Trials: 'trial',
};

function toOption(command: PaletteCommand): PaletteOption {
  const { id, group, label, description, keys, disabledReason, run } = command;
  return {
    id,
    group,
    icon: groupIcons[group] ?? 'command',
    label,
    ...(description === undefined ? {} : { note: description }),
    ...(keys ? { keys } : {}),
    ...(disabledReason === undefined ? {} : { disabledReason }),
    run: async () => {
      await run();
    },
  };
}

/**
 * Ranks a command: 0 if the label starts with the text, 1 if each typed word starts a word of the label, 2 if only the
 * keywords match.
 */
function rankCommand({ label, keywords }: PaletteCommand, typedText: string): number | undefined {
  const queryTerms = typedText.toLowerCase().split(/\s+/);
  const lowerLabel = label.toLowerCase();
  if (lowerLabel.startsWith(typedText.toLowerCase())) return 0;
  const hasWordStart = (text: string, word: string) =>
    text.split(/[\s,]+/).some((part) => part.startsWith(word));
  if (queryTerms.every((word) => hasWordStart(lowerLabel, word))) return 1;
  return queryTerms.every((word) => hasWordStart(`${lowerLabel} ${keywords.toLowerCase()}`, word))
    ? 2
    : undefined;
}

/** Finds commands with a word that starts with each typed word, best match first; disabled commands come last. */
function findCommands(commands: readonly PaletteCommand[], typedText: string): PaletteOption[] {
  return commands
    .flatMap((command) => {
      const rank = rankCommand(command, typedText);
      return rank === undefined
        ? []
        : [{ command, rank: rank + (command.disabledReason === undefined ? 0 : 10) }];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ command }) => toOption(command));
}

/** Likely commands, most likely first; disabled ones are left out. */
const likelyCommands = [
  'stop',
  'run-again',
  'find',
  'compare-texts',
  'summary',
  'add-lane',
  'present',
  'get-code',
  'new-session',
  'open-history',
];
const maxCommandsPerGroup = 5;
const noCommands: readonly string[] = [];

/** Returns the options for an empty field: likely commands, recent ones, sessions, then all other enabled commands. */
function buildInitialOptions(
  commands: readonly PaletteCommand[],
  recent: readonly string[],
  sessions: readonly PaletteOption[],
): PaletteOption[] {
  const runnableCommands = commands.filter(({ disabledReason }) => disabledReason === undefined);
  const pickCommands = (ids: readonly string[], excluded: readonly PaletteCommand[]) =>
    ids
      .flatMap((id) => runnableCommands.find((command) => command.id === id) ?? [])
      .filter((command) => !excluded.includes(command))
      .slice(0, maxCommandsPerGroup);
  const likelyNext = pickCommands(likelyCommands, []);
  const recentlyUsed = pickCommands(recent, likelyNext);
  const remaining = runnableCommands.filter(
    (command) => !recentlyUsed.includes(command) && !likelyNext.includes(command),
  );
  return [
    ...likelyNext.map((command) => ({ ...toOption(command), group: 'Suggested' })),
    ...recentlyUsed.map((command) => ({ ...toOption(command), group: 'Recent' })),
    ...sessions,
    ...remaining.map(toOption),
  ];
}

const maxRecentCommands = 8;

/** Returns the command with tracking: running it moves it to the top of the recent commands. */
function withRecentTracking(prefs: PrefsStore, command: PaletteCommand): PaletteCommand {
  return {
    ...command,
    run: () => {
      prefs.setState(({ recentCommands = [] }) => ({
        recentCommands: [command.id, ...recentCommands.filter((id) => id !== command.id)].slice(
          0,
          maxRecentCommands,
        ),
      }));
      return command.run();
    },
  };
}

const minQueryChars = 3;
const maxMessages = 6;

/** Finds messages of the current session that contain the query. Each option opens Find in session at its message. */
export function buildMessageOptions(data: SessionData, query: string, find: FindStore): PaletteOption[] {
  if (query.length < minQueryChars) return [];
  return findMessages(data, query, maxMessages).map(({ text, location, recordId }, index) => ({
    id: `message ${index} ${recordId}`,
    group: 'Messages',
    icon: 'message',
    label: text,
    note: location,
    run: () => openFindAt(find, { sessionId: data.session.id, query, recordId, isFromHistory: false }),
  }));
}
