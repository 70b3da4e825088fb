/** The places of the playground that the focus goes to from elsewhere. */
import type { ParamName } from '../../conversation/setup/params.ts';
import { createPlace, type Place } from '../../ui/focus/focus-target.ts';

export const messageField = createPlace('message');
/** In the composer. */
export const authorName = createPlace('author name');
export const systemPrompt = createPlace('system prompt');
/** Of the search in the session. */
export const findField = createPlace('find in session');
export const turnsButton = createPlace('turns');
export const sessionMenu = createPlace('session menu');
/** Of any lane. */
export const laneMenu = createPlace('lane menu');
/** The header of this lane. */
export function laneHead(letter: string): Place {
  return createPlace(`header of lane ${letter}`);
}

/** Scrolls this lane in beside the others. */
export function bringLaneIntoView(letter: string): void {
  laneHead(letter).element()?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
}

/** Of a message or an answer. */
export const editButton = createPlace('edit');
export const parametersShow = createPlace('show parameters');
export const parametersHide = createPlace('hide parameters');
export const inspectorOpen = createPlace('open inspector');
/** The tab of the inspector that is chosen. */
export const inspectorTab = createPlace('inspector tab');

export function modelPicker(letter: string): Place {
  return createPlace(`model of lane ${letter}`);
}

/** Opens the model picker of this lane, for those who are sent there from somewhere else. */
export function pickModel(letter: string): void {
  const picker = modelPicker(letter);
  if (picker.focus()) picker.element()?.click();
}

export function parameterRow(name: ParamName): Place {
  return createPlace(`parameter ${name}`);
}
