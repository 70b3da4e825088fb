import { queryOptions, useQuery } from '@tanstack/react-query';

import type { Lane, Session, Setup } from '../../conversation/session/types.ts';
import {
  describeMissingLanes,
  parseSettings,
  parseValues,
} from '../../conversation/setup/palette-settings.ts';
import type { ParamName, ParamRow } from '../../conversation/setup/params.ts';
import { pluralize } from '../../lib/format.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import type { Playground } from '../../state/create-playground.ts';
import { runAndReport } from '../../state/notices.ts';
import { getCurrentSession } from '../../state/sessions/session-store.ts';
import {
  usePlayground,
  usePrefs,
  useRoute,
  useSessionShallow,
  useView,
} from '../../state/use-playground.tsx';
import { modelsOfKind } from '../models/picker-options.ts';
import { useModels } from '../models/use-models.ts';
import { messageOptions } from './message-options.ts';
import { laneOptions, modelOptions } from './palette-model-options.ts';
import type { PaletteCommand, PaletteOption } from './palette-option.ts';
import { settingOptions, valuesOption, type LaneTools } from './setting-options.ts';

/** Brings the row of a field on screen and the focus into it. */
export type ShowParameter = (name: ParamName) => void;

const fewSessions = 5;
const mostSessions = 20;

/** All sessions as they are stored at this moment. */
export function sessionsForCommands({ library, recorder }: Pick<Playground, 'library' | 'recorder'>) {
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

/** What the typed text offers, and how it was read where it is a setting. */
export function useOptions(
  typed: string,
  listCommands: () => PaletteCommand[],
  showParameter: ShowParameter,
): { options: PaletteOption[]; reads?: readonly string[]; missing?: string | undefined } {
  const playground = usePlayground();
  const { router } = playground;
  const { data: models } = useModels();
  const recent = usePrefs((prefs) => prefs.recentModels);
  const recentCommands = usePrefs((prefs) => prefs.recentCommands) ?? noCommands;
  const tools = useLaneTools(showParameter);
  const extra = useTypedActions();
  const { data: sessions = [] } = useQuery(sessionsForCommands(playground));
  const openOption = (session: Session): PaletteOption => ({
    id: `open ${session.id}`,
    group: 'Sessions',
    icon: 'session',
    words: getDisplayTitle(session.title),
    note: sessionNote(session),
    run: () => router.navigate({ screen: 'playground', sessionId: session.id }),
  });

  const told = (options: readonly PaletteOption[]) =>
    options.map((option) => ({ ...option, run: () => runAndReport(playground.notices, option.run) }));
  const listOf = () => listCommands().map((command) => remembered(playground, command));

  const text = typed.trim();
  const listed = modelsOfKind(models?.models ?? [], 'chat');
  if (text === '') {
    const newest = sessions.slice(0, fewSessions).map(openOption);
    return { options: told(grouped(firstOptions(listOf(), recentCommands, newest))) };
  }
  if (text.startsWith('@'))
    return { options: told(modelOptions(listed, text.slice(1), { isAsked: true, recent }, tools)) };
  const values = tools.lanes.length === 0 ? undefined : parseValues(text);
  const readings = tools.lanes.length === 0 || values ? [] : parseSettings(text, tools.lanes.length);
  const lanesToAdd = laneOptions(listed, text, recent, tools);
  const data = tools.lanes.length === 0 ? undefined : getCurrentSession(playground.session.getState());
  const words = text.toLowerCase().split(/\s+/);
  const matching = findCommands(listOf(), text).map((option) => ({ ...option, group: 'Commands' }));
  const someCanRun = matching.some(({ blockedBy }) => blockedBy === undefined);
  const found = sessions.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  const all = grouped([
    ...extra(text),
    ...(values ? valuesOption(values, tools) : []),
    ...lanesToAdd,
    ...readings.flatMap((reading) => settingOptions(reading, tools)),
    ...(someCanRun ? matching : []),
    ...(text.length > 1 && lanesToAdd.length === 0
      ? modelOptions(listed, text, { isAsked: false, recent }, tools)
      : []),
    ...found.slice(0, mostSessions).map(openOption),
    ...(data ? messageOptions(data, text, playground.find) : []),
    ...(someCanRun ? [] : matching),
  ]);
  const options = told(all);
  const first = readings.length === 1 ? readings[0] : undefined;
  const missing = tools.lanes.length === 0 ? undefined : describeMissingLanes(text, tools.lanes.length);
  if (!first?.change) return { options, missing };
  return { options, reads: [first.row.name, first.change.kind === 'unset' ? 'not sent' : first.change.text] };
}

/** Options of one group beside each other, groups in order of their first option. */
function grouped(options: readonly PaletteOption[]): PaletteOption[] {
  const groups = [...new Set(options.map(({ group }) => group))];
  return groups.flatMap((group) => options.filter((option) => option.group === group));
}

function sessionNote({ summary, updatedAt }: Session): string {
  const when = new Date(updatedAt).toLocaleDateString('en-US', { month: 'short', day: 'numeric' });
  return summary ? `${pluralize(summary.prompts, 'message')}, ${when}` : when;
}

const noLanes: readonly Lane[] = [];

function useLaneTools(showParameter: ShowParameter): LaneTools {
  const { actions, session } = usePlayground();
  const isPlayground = useRoute().screen === 'playground';
  const lanes = useSessionShallow((data) =>
    data.session.laneIds.flatMap((laneId) => data.lanes[laneId] ?? []),
  );
  const namesHidden = useView((view) => view.namesHidden);
  return {
    lanes: (isPlayground && lanes) || noLanes,
    namesHidden,
    changeSetups: actions.changeSetups,
    addLaneWith: (edit: (setup: Setup) => Setup) => {
      actions.addLane();
      const added = getCurrentSession(session.getState())?.session.laneIds.at(-1);
      if (added !== undefined) actions.changeSetups([added], edit);
    },
    showRow: ({ name }: ParamRow) => showParameter(name),
  };
}

/** Commands that take a value: the session's title, and requests per minute. */
function useTypedActions(): (text: string) => PaletteOption[] {
  const { actions, prefs, queue } = usePlayground();
  const title = useSessionShallow((data) => data.session.title);
  const isPlayground = useRoute().screen === 'playground';
  return (text) => {
    const name = /^(?:rename|title)(?:\s+(?:to|the session|session))?\s+(\S.*)$/i.exec(text)?.[1];
    const limit = /^(?:rpm|requests(?: (?:a|per) minute)?|limit requests to)\s+(\d{1,5})$/i.exec(text)?.[1];
    const options: PaletteOption[] = [];
    if (name !== undefined && isPlayground && title !== undefined) {
      options.push({
        id: 'rename',
        group: 'Session',
        icon: 'session',
        words: `Rename the session to ${name}`,
        note: `now ${title}`,
        run: () => actions.renameSession(name),
      });
    }
    if (limit !== undefined && Number(limit) > 0) {
      options.push({
        id: 'rpm',
        group: 'Set',
        icon: 'set',
        words: `Send at most ${limit} requests per minute`,
        note:
          queue.getLimit() === 0
            ? 'now without a limit'
            : `now ${queue.getLimit()}; the server's own limit stays`,
        run: () => {
          prefs.setState({ requestsPerMinute: Number(limit) });
          queue.recheck();
          return `At most ${queue.getLimit()} requests per minute.`;
        },
      });
    }
    return options;
  };
}

function optionOf(command: PaletteCommand): PaletteOption {
  const { id, group, words, effect, keys, blockedBy, run } = command;
  return {
    id,
    group,
    icon: 'command',
    words,
    ...(effect === undefined ? {} : { note: effect }),
    ...(keys ? { keys } : {}),
    ...(blockedBy === undefined ? {} : { blockedBy }),
    run: async () => {
      await run();
    },
  };
}

/** 0 where the words begin with it, 1 where each of its words begins one of theirs, 2 where only the further words do. */
function rankOf({ words, also }: PaletteCommand, typed: string): number | undefined {
  const wanted = typed.toLowerCase().split(/\s+/);
  const own = words.toLowerCase();
  if (own.startsWith(typed.toLowerCase())) return 0;
  const begins = (text: string, word: string) => text.split(/[\s,]+/).some((each) => each.startsWith(word));
  if (wanted.every((word) => begins(own, word))) return 1;
  return wanted.every((word) => begins(`${own} ${also.toLowerCase()}`, word)) ? 2 : undefined;
}

/** The commands that every typed word begins a word of, the closest first; what cannot run now comes after what can. */
function findCommands(commands: readonly PaletteCommand[], typed: string): PaletteOption[] {
  return commands
    .flatMap((command) => {
      const rank = rankOf(command, typed);
      return rank === undefined ? [] : [{ command, rank: rank + (command.blockedBy === undefined ? 0 : 10) }];
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ command }) => optionOf(command));
}

/** Likely ones, the likeliest first; those that cannot run now are left out. */
const likely = [
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
const fewCommands = 5;
const noCommands: readonly string[] = [];

/** What is listed before anything is typed: what was used last, what is likely now, sessions, then all else that can run. */
function firstOptions(
  commands: readonly PaletteCommand[],
  recent: readonly string[],
  sessions: readonly PaletteOption[],
): PaletteOption[] {
  const able = commands.filter(({ blockedBy }) => blockedBy === undefined);
  const pick = (ids: readonly string[], without: readonly PaletteCommand[]) =>
    ids
      .flatMap((id) => able.find((command) => command.id === id) ?? [])
      .filter((command) => !without.includes(command))
      .slice(0, fewCommands);
  const used = pick(recent, []);
  const next = pick(likely, used);
  const others = able.filter((command) => !used.includes(command) && !next.includes(command));
  return [
    ...used.map((command) => ({ ...optionOf(command), group: 'Recent' })),
    ...next.map((command) => ({ ...optionOf(command), group: 'Likely' })),
    ...sessions,
    ...others.map(optionOf),
  ];
}

const mostRemembered = 8;

/** The same command; running it puts it first among the recent ones. */
function remembered({ prefs }: Playground, command: PaletteCommand): PaletteCommand {
  return {
    ...command,
    run: () => {
      prefs.setState(({ recentCommands = [] }) => ({
        recentCommands: [command.id, ...recentCommands.filter((id) => id !== command.id)].slice(
          0,
          mostRemembered,
        ),
      }));
      return command.run();
    },
  };
}
