const words = `
a about above after again against all also am an and any are as at be because been before being below between both but
by can cannot could did do does doing down during each either else even ever few for from further had has have having
he her here hers him his how however i if in into is it its itself just me more most much must my neither no nor not of
off on once only or other others our out over own per same shall she should since so some such than that the their them
then there these they this those though through thus to too under until up upon us very was we were what when where
whether which while who whom whose why will with within without would you your
`;

/** English function words: they occur in any text, so their background probability is high. */
export const STOP_WORDS: ReadonlySet<string> = new Set(words.trim().split(/\s+/));
