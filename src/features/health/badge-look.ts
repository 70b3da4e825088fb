import type { BadgeText } from '../../gateway/http/badge.ts';

/** The lamp says it by its shape before its colour: filled, half, hollow, or none yet. */
export type LampShape = 'filled' | 'half' | 'hollow' | 'waiting';

const shapes: Record<BadgeText, LampShape> = {
  'Gateway up': 'filled',
  'Demo gateway': 'filled',
  'Gateway slow': 'half',
  'Gateway degraded': 'half',
  'Gateway down': 'hollow',
  'Key rejected': 'hollow',
  Offline: 'hollow',
  Checking: 'waiting',
};

export function lampShapeOf(text: BadgeText): LampShape {
  return shapes[text];
}
