import { Palette } from '../../features/palette/palette.tsx';
import { showParameter } from '../../features/playground/use-parameters-open.ts';
import type { CommandContext } from './command.ts';
import { listCommands } from './list-commands.ts';

/** The command field over the page, with every command of the table. */
export function CommandPalette({ context, onClose }: { context: CommandContext; onClose: () => void }) {
  return (
    <Palette
      listCommands={() => listCommands(context)}
      typedAhead={context.pageState.getState().typedAhead}
      showParameter={(name) => showParameter(context.playground, name)}
      onClose={onClose}
    />
  );
}
