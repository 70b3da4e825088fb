import type { PaletteCommand, PaletteOption } from './palette-option.ts';

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
export function findCommands(commands: readonly PaletteCommand[], typed: string): PaletteOption[] {
  return commands
    .flatMap((command) => {
      const rank = rankOf(command, typed);
      return rank === undefined ? [] : [{ command, rank: rank + (command.blockedBy === undefined ? 0 : 10) }];
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ command }) => optionOf(command));
}

/** What the palette lists before anything is typed: everything that can run now, in the order of the table. */
export function commandsToRun(commands: readonly PaletteCommand[]): PaletteOption[] {
  return commands.filter(({ blockedBy }) => blockedBy === undefined).map(optionOf);
}
