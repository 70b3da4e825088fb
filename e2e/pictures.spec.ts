/** Two of the design's drawings, compared with how the app last looked in their states; soak/pictures.spec.ts has the others. README.md says how. */
import { looksAsBefore, phone, test } from './looks/looks-as-before.ts';
import { chatScene, compareScene } from './looks/scenes.ts';

test(
  'one lane with tool calls, and on a phone',
  { tag: '@soak' },
  async ({ bench, gateway, paced, page }, info) => {
    await chatScene({ bench, gateway, url: paced.url });
    await looksAsBefore(page, info, 'chat');
    await page.setViewportSize(phone);
    await looksAsBefore(page, info, 'phone-chat');
  },
);

test('three lanes side by side', { tag: '@soak' }, async ({ bench, gateway, paced, page }, info) => {
  await compareScene({ bench, gateway, url: paced.url });
  await looksAsBefore(page, info, 'compare');
});
