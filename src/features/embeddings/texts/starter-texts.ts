/** The texts of the examples: real sentences, in groups that a person would make too. */
const support = `# Delivery
Parcel shows delivered but nothing arrived
Where is my order, it is two days late
Courier left the box in the rain
Tracking has not moved since Monday
Can I change the delivery address?
Only one of two items came in the box
# Refunds
How long does a refund take?
I returned the boots and heard nothing
Refund went to my old card
The return label will not print
Can I swap for a larger size instead?
You refunded less than I paid
# Sign-in
The reset email never arrives
Locked out after too many tries
My sign-in code has expired
How do I turn on two-step sign-in?
Signed out every time I close the tab
I cannot see my past orders
# Billing
Charged twice for one order
Can I have an invoice with a VAT number?
My discount code did not apply
What is this charge from 3 June?
Update the card on my account
Cancel my yearly plan`;

const wording = `# Same words, other meaning
The bank raised its interest rate
The bank of the river was muddy
He broke the record for the mile
The record was scratched and skipped
She is patient with beginners
The patient waited for the doctor
# Other words, same meaning
The film was far too long
That movie went on forever
He lost his job last week
They let him go a few days ago
The shop shuts at six
Closing time is 6 p.m.
# Negation
The battery lasts all day
The battery does not last a day
I would buy it again
I would never buy it again
# Typing errors
Please confirm my reservation
Pleas confrim my resevation
Where can I park the car?
Wher can i prak the car`;

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

export const starterTexts = { support, wording, languages };
