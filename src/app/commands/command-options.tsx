import { OptionsList } from '../../features/palette/options-list.tsx';
import type { PaletteField } from '../../features/palette/palette.tsx';
import { showParameter } from '../../features/playground/use-parameters-open.ts';
import type { CommandContext } from './command.ts';
import { listCommands } from './list-commands.ts';

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
