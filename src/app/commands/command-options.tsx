import { OptionsList } from '../../features/palette/options-list.tsx';
import type { PaletteCommand } from '../../features/palette/palette-option.ts';
import type { PaletteField } from '../../features/palette/palette.tsx';
import { showParameter } from '../../features/workspace/use-parameters-open.ts';
import type { CommandContext, Command } from './command.ts';
import { commands } from './commands.ts';
import { createLaneCommands, createPresetCommands } from './lane-commands.ts';

/** Options of the command palette: all commands, and items that are found by typing. */
export function CommandOptions({ context, field }: { context: CommandContext; field: PaletteField }) {
  return (
    <OptionsList
      field={field}
      listCommands={() => listCommands(context)}
      showParameter={(name) => showParameter(context, name)}
    />
  );
}

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
