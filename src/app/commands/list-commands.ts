import type { PaletteCommand } from '../../features/palette/palette-option.ts';
import type { Command, CommandContext } from './command.ts';
import { commands } from './commands.ts';
import { laneCommands, presetCommands } from './lane-commands.ts';

/** What makes no sense once the palette is open, or belongs to the keyboard alone. */
const notListed = new Set(['palette', 'next-region', 'previous-region']);

/** Every command of the table and of the current lanes and presets, each with what it would do or why it cannot run. */
export function listCommands(context: CommandContext): PaletteCommand[] {
  return [
    ...commands.filter(({ id }) => !notListed.has(id)),
    ...laneCommands(context),
    ...presetCommands(context),
  ].map((command) => forPalette(command, context));
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
