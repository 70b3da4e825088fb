import type { LabInput } from '../../../state/lab/lab-input.ts';

/** Texts of the starters: full sentences in groups that a user would form as well. */
const support = `# Delivery
Parcel shows delivered but nothing arrived
The courier left the box in the rain
The shipment is lost in the post
Our driver dropped the package at the wrong house
The crate was damaged during transport
Tracking says the truck is still at the depot
# Refunds
How long until the money is back on my card?
I was charged twice and want my cash returned
Please reimburse the extra fee
You paid back less than the purchase cost
The bank has not received the refund
My credit for the cancelled bill is missing
# Sign-in
The password reset email never arrives
I cannot log in to my account
My username is not recognised
The login page rejects my password
Locked out after too many attempts to sign in
Which user name belongs to my profile?
# Sizes
These boots are too tight for my feet
The jacket is too large around the shoulders
Do you have the trousers in a longer cut?
The sleeves of this shirt are too short
The shoes pinch at the heel
Is the dress loose or does it fit close?`;

const paraphrases = `# The film was long
The film was far too long
That movie went on forever
The picture should have ended an hour earlier
# He lost his job
He lost his job last week
They dismissed him a few days ago
His employer fired him on Monday
# The doctor helped
The doctor treated the sick child
A physician looked after the ill boy
Medical staff cared for the young patient
# The car broke down
My car broke down on the motorway
The vehicle stopped working in the middle of the road
The engine of our automobile failed on the highway
# It will rain
It will rain all afternoon
Expect wet weather later today
Showers are forecast for the rest of the day`;

const subjects = `# Cooking
Simmer the soup with onions and garlic
Bake the bread until the crust is golden
Fry the eggs in a little butter
Season the roast chicken with pepper
Stir flour and sugar into the dough
Peel the potatoes and boil them in salted water
# Football
The striker scored in the last minute
Our team lost the match on penalties
The goalkeeper saved a free kick
The referee sent two players off
The coach praised his young defenders
The winger passed the ball to the captain
# Space
The rocket reached orbit around the moon
Astronauts repaired the station outside
A telescope photographed a distant galaxy
The probe landed on Mars
Astronomers discovered a planet near a small star
The satellite burned up in the atmosphere
# Music
The orchestra rehearsed a symphony
She plays the violin and the piano
The band recorded a new album
The choir sang an old hymn
He wrote the melody for guitar
The concert ended with a slow song`;

const languages = `# Greeting
Good morning, how can I help you?
Guten Morgen, wie kann ich Ihnen helfen?
Bonjour, comment puis-je vous aider ?
Buenos días, ¿en qué puedo ayudarle?
おはようございます。ご用件は何でしょうか。
# Weather
It will rain all afternoon
Es wird den ganzen Nachmittag regnen
Il va pleuvoir tout l’après-midi
Va a llover toda la tarde
午後はずっと雨が降るでしょう。
# Lost luggage
My suitcase did not arrive
Mein Koffer ist nicht angekommen
Ma valise n’est pas arrivée
Mi maleta no ha llegado
スーツケースが届いていません。
# Recipe
Boil the pasta for nine minutes
Die Nudeln neun Minuten kochen
Faire cuire les pâtes neuf minutes
Hervir la pasta nueve minutos
パスタを九分間ゆでます。`;

export const starterTexts = { support, paraphrases, subjects, languages };

type StarterId = keyof typeof starterTexts;

interface TextStarter {
  id: StarterId;
  name: string;
  description: string;
}

/** Example texts. */
export const textStarters: readonly TextStarter[] = [
  { id: 'support', name: 'Support phrases', description: '24 texts in 4 groups' },
  { id: 'paraphrases', name: 'Same meaning, different words', description: '15 texts in 5 groups' },
  { id: 'subjects', name: 'Four subjects', description: '24 texts in 4 groups' },
  {
    id: 'languages',
    name: 'Four sentences, five languages',
    description: '20 texts for a multilingual model',
  },
];

/** Returns the input that replaces the texts by an example. */
export function createStarterInput(id: StarterId): Pick<LabInput, 'typed' | 'mode' | 'file'> {
  return { typed: starterTexts[id], mode: 'texts', file: undefined };
}
