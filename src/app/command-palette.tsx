import type { PaletteCommand } from '../features/palette/palette-option.ts';
import { Palette } from '../features/palette/palette.tsx';
import type { Command, CommandContext } from './command.ts';
import { commands } from './commands.ts';
import { laneCommands, presetCommands } from './lane-commands.ts';

/** What has no sense once the palette is open, or belongs to the keyboard alone. */
const notListed = new Set(['palette', 'next-region', 'previous-region']);

/** The command field over the page, with every command of the table. */
export function CommandPalette({ context, onClose }: { context: CommandContext; onClose: () => void }) {
  const listed = (): PaletteCommand[] =>
    [
      ...commands.filter(({ id }) => !notListed.has(id)),
      ...laneCommands(context),
      ...presetCommands(context),
    ].map((command) => forPalette(command, context));
  return <Palette listCommands={listed} onClose={onClose} />;
}

function forPalette(command: Command, context: CommandContext): PaletteCommand {
  const { id, words, group, also = '', keys, effect, blockedBy, run } = command;
  const [effectNow, reason] = [effect?.(context), blockedBy?.(context)];
  return {
    id,
    words,
    group,
    also,
    ...(keys ? { keys } : {}),
    ...(effectNow === undefined ? {} : { effect: effectNow }),
    ...(reason === undefined ? {} : { blockedBy: reason }),
    run: () => run(context),
  };
}
