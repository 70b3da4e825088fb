/** The app in the states of the design's drawings that pictures.spec.ts leaves out, compared with how it last looked. README.md says how. */
import { appears, desktop, looksAsBefore, phone, test } from '../looks/looks-as-before.ts';
import { compareScene } from '../looks/scenes.ts';

test('three lanes on a phone, and the inspector with events and code there and on a desk', async ({
  bench,
  gateway,
  paced,
  page,
}, info) => {
  const goOn = await compareScene({ bench, gateway, url: paced.url });
  await page.setViewportSize(phone);
  await appears(page, page.getByRole('tab', { name: 'All' }));
  await looksAsBefore(page, info, 'phone-all');
  await page.getByRole('tab', { name: /Lane B/ }).click();
  await looksAsBefore(page, info, 'phone-lane');
  await page.getByRole('button', { name: /^Parameters,/ }).click();
  await appears(page, page.getByRole('button', { name: 'Done' }));
  await looksAsBefore(page, info, 'phone-params');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.setViewportSize(desktop);
  await goOn();
  await page.getByRole('radio', { name: 'Lane B', exact: true }).click();
  await page.locator('[data-region=session-bar]').getByRole('button', { name: 'Inspect' }).click();
  await appears(page, page.getByRole('tab', { name: 'Events' }));
  await looksAsBefore(page, info, 'inspector');
  await page.setViewportSize(phone);
  await looksAsBefore(page, info, 'phone-inspector');
  await page.setViewportSize(desktop);
  await page.getByRole('tab', { name: 'Request and code' }).click();
  await appears(page, page.getByRole('radio', { name: 'Python' }));
  await page.getByRole('radio', { name: 'Python' }).click();
  await looksAsBefore(page, info, 'inspector-code');
});
