import { hashing } from "#people/users/passwords"

/** A hash as users' takes a core for 30 ms, and tests make thousands of users. */
hashing.cost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
