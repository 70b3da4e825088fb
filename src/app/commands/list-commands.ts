import type { PaletteCommand } from '../../features/palette/palette-option.ts';
import type { Command, CommandContext } from './command.ts';
import { commands } from './commands.ts';
import { createLaneCommands, createPresetCommands } from './lane-commands.ts';

/** What makes no sense once the palette is open, or belongs to the keyboard alone. */
const unlistedIds = new Set(['palette', 'next-region', 'previous-region']);

/** Every command of the table and of the current lanes and presets, each with what it would do or why it cannot run. */
export function listCommands(context: CommandContext): PaletteCommand[] {
  return [
    ...commands.filter(({ id }) => !unlistedIds.has(id)),
    ...createLaneCommands(context),
    ...createPresetCommands(context),
  ].map((command) => toPaletteCommand(command, context));
}

function toPaletteCommand(command: Command, context: CommandContext): PaletteCommand {
  const { id, label, group, keywords = '', keys, getDescription, getDisabledReason, run } = command;
  const [currentDescription, reason] = [getDescription?.(context), getDisabledReason?.(context)];
  return {
    id,
    label,
    group,
    keywords,
    ...(keys ? { keys } : {}),
    ...(currentDescription === undefined ? {} : { description: currentDescription }),
    ...(reason === undefined ? {} : { disabledReason: reason }),
    run: () => run(context),
  };
}
