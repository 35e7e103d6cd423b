"""The agent `ppo`: a network trained by imitation and masked PPO."""
