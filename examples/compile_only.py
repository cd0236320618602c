"""A registry, a budget, a prompt: no store, no model, no event loop."""

from muniment import Band, Registry, Role, compile, to_openai  # noqa: A004  compile is Muniment's verb
from muniment.providers.tokens import EstimatedTokens

registry = Registry()
registry.write("You are the night porter of the Hotel Miramar.", name="role", band=Band.PINNED)
registry.write("Guests in room 12 may have a late breakfast.", name="house rules")
registry.write("[2026-05-01 Ana] I cannot eat nuts.", name="memory", band=Band.VOLATILE, role=Role.DOCUMENT)
registry.write("Could I have breakfast at eleven?", name="message", band=Band.VOLATILE, role=Role.USER, required=True)

prompt = compile(registry, budget=200, reserve=80, tokens=EstimatedTokens())
print(*to_openai(prompt), sep="\n")
print(f"{prompt.tokens} of {prompt.budget - prompt.reserve} tokens; left out: {[row.name for row in prompt.left_out]}")
