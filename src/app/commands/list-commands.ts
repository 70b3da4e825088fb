import type { PaletteCommand } from '../../features/palette/palette-option.ts';
import type { Command, CommandContext } from './command.ts';
import { commands } from './commands.ts';
import { createLaneCommands, createPresetCommands } from './lane-commands.ts';

/** Commands that are useless in an open palette, or only make sense as keys. */
const unlistedIds = new Set(['palette', 'next-region', 'previous-region']);

/** Returns all commands, including those for the current lanes and presets, each with its effect or disabled reason. */
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
