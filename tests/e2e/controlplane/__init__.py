"""A real Kubernetes control plane on loopback: etcd, kube-apiserver and kube-controller-manager, and nothing else.

There is no scheduler, no kubelet and no cluster network: a Deployment gets its ReplicaSet and Pods, which stay Pending.
``.venv/bin/python -m tests.e2e.controlplane`` runs one by hand. README.md says where the servers come from.
"""
