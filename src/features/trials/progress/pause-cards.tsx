import { useAppServices, useSessionServices } from '../../../state/contexts.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { ignoreRepeatedPresses } from '../../../ui/controls/repeated-presses.ts';
import { getNextFocusAttributes } from '../../../ui/focus/focus-target.ts';
import { CircleAlert } from '../../../ui/icons.tsx';
import { Info, OctagonAlert } from '../../../ui/late-icons.tsx';
import { casesGrid } from '../trial-focus-targets.ts';
import { runCardAction } from '../trial-handlers.ts';
import { useTrial, useTrialView, useTrialViewStore, useFullTrialState } from '../use-trial.ts';
import { formatActionLabel, getPauseCards, type PauseCardData } from './pause-card-data.ts';

const toneStyles: Record<PauseCardData['tone'], { Icon: typeof Info; card: string; title: string }> = {
  warn: { Icon: CircleAlert, card: 'border-warn/60 bg-warn-wash', title: 'text-warn-ink' },
  err: { Icon: OctagonAlert, card: 'border-err/40 bg-err-wash', title: 'text-err-ink' },
  note: { Icon: Info, card: 'border-line-2 bg-raised', title: 'text-ink' },
};

/** Cards with the reasons for the pause, what is kept and the possible actions. */
export function PauseCards() {
  const { actions } = useSessionServices();
  const { notices, learnedModels } = useAppServices();

  const trial = useTrial();
  const view = useTrialViewStore();
  const state = useFullTrialState();
  const visibleCards = useVisiblePauseCards();
  if (visibleCards.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2 border-t border-line bg-paper px-4 py-2 max-phone:border-t-0 max-phone:border-b">
      {visibleCards.map((pauseCard) => {
        const { Icon, card, title } = toneStyles[pauseCard.tone];
        const isNote = pauseCard.tone === 'note';
        return (
          <article
            key={pauseCard.id}
            {...getNextFocusAttributes(casesGrid)}
            className={`flex min-w-72 flex-1 flex-wrap items-center gap-x-4 gap-y-2 rounded-3 border px-4 py-2.5 max-phone:min-w-0 max-phone:basis-full ${card} ${isNote ? 'py-1!' : ''}`}
          >
            <div
              className={`min-w-0 flex-1 basis-80 ${isNote ? 'flex flex-wrap items-baseline gap-x-2' : ''}`}
            >
              <h3 className={`flex items-center gap-2 text-13 font-[600] ${title}`}>
                <Icon className="icon-16" aria-hidden />
                {pauseCard.title}
              </h3>
              <p className="mt-0.5 max-w-[80ch] text-13 text-pretty text-ink-2">{pauseCard.text}</p>
            </div>
            <div className="flex flex-wrap gap-2">
              {pauseCard.actions.map((action, index) => (
                <Button
                  key={action.name}
                  {...ignoreRepeatedPresses}
                  size="small"
                  variant={action.name === 'resume' && index === 0 ? 'primary' : 'default'}
                  onClick={() => {
                    if (action.name === 'leave')
                      view.setState(({ dismissedCardIds }) => ({
                        dismissedCardIds: [...dismissedCardIds, pauseCard.id],
                      }));
                    else runCardAction({ notices, learnedModels, actions }, trial, action);
                  }}
                >
                  {formatActionLabel(action, state)}
                </Button>
              ))}
            </div>
          </article>
        );
      })}
    </div>
  );
}

/** Returns the cards that the user has not dismissed. Each pause creates new cards. */
export function useVisiblePauseCards(): PauseCardData[] {
  const dismissedCardIds = useTrialView((view) => view.dismissedCardIds);
  return getPauseCards(useFullTrialState()).filter(({ id }) => !dismissedCardIds.includes(id));
}
