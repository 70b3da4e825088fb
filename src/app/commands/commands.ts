/** All commands of the app. Key bindings, the list of keys and the command palette are built from this table. */
import { playgroundScreen, findScreen, screens, type Screen } from '../screens.tsx';
import type { Command } from './command.ts';
import { screenCommands } from './screen-commands.ts';

function createGoToCommands(screen: Screen): Command[] {
  if (!screen.workspace) return [];
  return [
    {
      ...screen.workspace,
      label: screen.title,
      group: 'Go to',
      getDisabledReason: (context) =>
        findScreen(context.router.state.getState().route) === screen ? 'Already open' : undefined,
      run: (context) => {
        const sessionId = context.session.getState().currentId;
        context.router.navigate(
          screen === playgroundScreen
            ? { screen: 'playground', ...(sessionId === undefined ? {} : { sessionId }) }
            : { screen: 'page', path: screen.path },
        );
      },
    },
  ];
}

export const commands: readonly Command[] = [
  ...screenCommands,
  ...screens.flatMap(createGoToCommands),
  ...screens.flatMap((screen) => screen.commands),
];
